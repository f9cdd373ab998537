# Makes a manual page (man(7)) of what --help or --print-defaults prints:
#
#   skirmish play --help | awk -v name=skirmish-play -v section=1 -v about=... -v date=... \
#       -v version=... -f page.awk
#
# Lines that are not indented are prose, indented ones are shown as they are, and an option begins
# with two dashes.

function escape(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return text ~ /^\./ ? "\\&" text : text
}

# Prose, in lines of at most 80 characters.
function say(text,    at, line)
{
    text = escape(text)
    while (length(text) > 80) {
        for (at = 80; at > 1 && substr(text, at, 1) != " "; at--) {
        }
        if (at == 1) {
            break
        }
        line = substr(text, 1, at - 1)
        sub(/ +$/, "", line)
        print line
        text = substr(text, at + 1)
        sub(/^ +/, "", text)
        if (text ~ /^\./) {
            text = "\\&" text
        }
    }
    print text
}

function section_begins(title)
{
    end_verbatim()
    print ".SH " toupper(title)
    is_new = 1
}

function end_verbatim()
{
    if (is_verbatim) {
        print ".EE\n.RE"
    }
    is_verbatim = 0
}

function paragraph()
{
    end_verbatim()
    if (!is_new) {
        print ".PP"
    }
    is_new = 0
}

# "--name VALUE  (default)  SIGHUP" as the head of an entry; words in capitals are placeholders.
function option_begins(head,    words, count, i, line)
{
    end_verbatim()
    count = split(head, words, /  */)
    line = "\\fB" escape(words[1]) "\\fR"
    for (i = 2; i <= count; i++) {
        line = line " " (words[i] ~ /^[A-Z]+$/ && words[i] != "SIGHUP" ? "\\fI" words[i] "\\fR" : escape(words[i]))
    }
    print ".TP\n" line
    is_option = 1
    is_new = 0
}

BEGIN {
    printf ".TH %s %s \"%s\" \"%s\" \"Skirmish\"\n", toupper(escape(name)), section, date, version
    print ".SH NAME\n" escape(name) " \\- " escape(about)
    is_new = 1
}

# ---- skirmishd.conf: a comment describes the option after it ----

section == 5 && /^# ---- / {
    flush()
    gsub(/^# ---- | ----$/, "")
    if (!has_options++) {
        section_begins("options")
    }
    print ".SS " escape($0)
    next
}
section == 5 && /^#( |$)/ { sub(/^# ?/, ""); held[++held_count] = $0; next }
section == 5 && /^#[a-z]/ {
    sub(/^#/, "")
    print ".TP\n\\fB" escape($1) "\\fR" ($3 == "" ? "" : " = " escape(substr($0, index($0, "= ") + 2)))
    flush()
    next
}
section == 5 { flush(); next }

function flush(    i)
{
    if (held_count > 0 && !has_options) {
        section_begins("description")
    }
    for (i = 1; i <= held_count; i++) {
        if (held[i] == "") {
            print ".PP"
        } else {
            say(held[i])
        }
    }
    held_count = 0
}

# ---- help ----

NR == 1 && / - / { next } # the name's line, which is there already

/^usage: / {
    sub(/^usage: /, "")
    section_begins("synopsis")
    count = split($0, words, " ")
    line = "\\fB" words[1] "\\fR"
    for (i = 2; i <= count; i++) {
        line = line " " (words[i] ~ /^[a-z][a-z-]*$/ ? "\\fB" escape(words[i]) "\\fR" : escape(words[i]))
    }
    print line
    is_new = 1
    next
}

/^$/ { end_verbatim(); is_apart = 1; is_option = is_status = 0; next }

# Behind the options, as in other manual pages.
/^[Ee]xit status: / { sub(/^[Ee]xit status: /, ""); status = $0; is_status = 1; next }
is_status { status = status " " $0; next }

/^  --[a-z]/ {
    if (!has_options++) {
        section_begins("options")
    }
    sub(/^ */, "")
    # A doc on the same line is behind two blanks; a default in parentheses is no doc.
    at = match($0, /  +[^( S]/)
    option_begins(at ? substr($0, 1, at - 1) : $0)
    if (at) {
        sub(/^ */, "", $0)
        say(substr($0, at + RLENGTH - 1))
    }
    is_apart = 0
    next
}

is_option && /^        / { sub(/^ */, ""); say($0); next }

/^options:$/ { next }

/^signals: / { sub(/^signals: /, ""); section_begins("signals"); is_apart = 0; say($0); next }

# A command of skirmish under its heading.
kind == "index" && /:$/ && !/^ / {
    if (!has_commands++) {
        section_begins("commands")
    }
    sub(/:$/, "")
    print ".SS " escape($0)
    next
}
kind == "index" && /^  [a-z]/ && !/^  skirmish / {
    sub(/^  /, "")
    at = match($0, /  +/)
    title = substr($0, 1, at - 1)
    gsub(/ /, "-", title)
    print ".TP\n\\fBskirmish\\-" escape(title) "\\fR(1)\n" escape(substr($0, at + RLENGTH))
    next
}

# The headings of skirmishd's options.
kind == "daemon" && has_options && /^[A-Z][a-z ]+$/ { end_verbatim(); print ".SS " $0; is_new = 1; next }

/^ / {
    if (!is_verbatim) {
        end_verbatim()
        print ".PP\n.RS 2\n.EX"
        is_verbatim = 1
        is_new = 0
    }
    print escape(substr($0, 3))
    next
}

!has_description++ { section_begins("description"); is_apart = 0; is_new = 0; say($0); next }
is_apart || is_verbatim { paragraph(); is_apart = 0 }
{ say($0) }

END {
    if (section == 5) {
        flush()
    }
    if (status != "") {
        section_begins("exit status")
        say(status)
    }
    end_verbatim()
    print ".SH SEE ALSO\n" see
}
