# Completion of skirmish and skirmishd for bash.
#
# The words come from the output of their --help.  After an option whose value is a file, and where
# nothing is known, bash offers files.

_skirmish_commands() { skirmish --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | grep -vx skirmish | sort -u; }
# Commands of two words: those that follow the given one.
_skirmish_seconds() { skirmish --help | sed -n "s/^  $1 \([a-z][a-z-]*\)  .*/\1/p"; }
_skirmish_options() { sed -n 's/^  \(--[a-z-]*\).*/\1/p' <<<"$1"; }
_skirmish_rulesets() { skirmish rulesets | sed 's/ .*//'; }
_skirmish_questions() { skirmish query --list | sed -n 's/^  \([a-z_]*\) .*/\1/p'; }

_skirmish() {
    local word=$2 before=$3 command=("${COMP_WORDS[1]}") words help
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words="help $(_skirmish_commands) --help --version"
    else
        if ((COMP_CWORD > 2)) && _skirmish_seconds "${command[0]}" | grep -qxF -- "${COMP_WORDS[2]}"; then
            command+=("${COMP_WORDS[2]}")
        fi
        help=$(skirmish "${command[@]}" --help 2>/dev/null)
        if [[ $word == -* ]]; then
            words="--help $(_skirmish_options "$help")"
        elif [[ $before == --ruleset || ${command[0]} =~ ^(params|schema)$ ]]; then
            words=$(_skirmish_rulesets)
        elif [[ $before == --* ]] && grep -q "^  $before [A-Z]" <<<"$help"; then
            return # its value: a file, or something that only the user knows
        elif [[ ${command[0]} == query ]]; then
            words=$(_skirmish_questions)
        elif [[ ${command[0]} == help ]]; then
            words=$(_skirmish_commands)
        elif ((COMP_CWORD == 2)); then
            words=$(_skirmish_seconds "${command[0]}")
        fi
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

_skirmishd() {
    COMPREPLY=()
    [[ $2 != -* ]] || mapfile -t COMPREPLY < <(compgen -W "$(_skirmish_options "$(skirmishd --help)")" -- "$2")
}

complete -o default -F _skirmish skirmish
complete -o default -F _skirmishd skirmishd
