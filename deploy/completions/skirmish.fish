# Completion of skirmish and skirmishd for fish, from the output of their --help.

function __skirmish_table --argument-names pattern # lines of the help as word, tab, what it does
    sed -n "s/^  \($pattern\)  *\(.*\)/\1\t\2/p"
end

function __skirmish_seconds --argument-names first # commands of two words: those that follow this one
    skirmish --help | sed -n "s/^  $first \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p"
end

function __skirmish_second # right after the first word
    set -l words (commandline --tokenize --cut-at-cursor)
    test (count $words) -eq 2; and __skirmish_seconds $words[2]
end

function __skirmish_options
    set -l words (commandline --tokenize --cut-at-cursor)
    set -l command $words[2]
    if test (count $words) -gt 2; and contains -- $words[3] (__skirmish_seconds $words[2] | string replace -r '\t.*' '')
        set command $words[2..3]
    end
    skirmish $command --help 2>/dev/null | __skirmish_table '--[a-z-]*'
end

function __skirmish_commands
    skirmish --help | grep -v '^  skirmish ' | __skirmish_table '[a-z][a-z-]*'
end

function __skirmish_wants --argument-names command
    set -l words (commandline --tokenize --cut-at-cursor)
    test (count $words) -ge 2; and test "$words[2]" = $command
end

function __skirmish_wants_ruleset
    set -l words (commandline --tokenize --cut-at-cursor)
    test "$words[-1]" = --ruleset; or contains -- "$words[2]" params schema
end

complete -c skirmish -n __fish_use_subcommand -f -a "(__skirmish_commands)"
complete -c skirmish -n __fish_use_subcommand -f -a help -d "more about one command"
complete -c skirmish -n "not __fish_use_subcommand; and string match -q -- '-*' (commandline --current-token)" -f -a "(__skirmish_options)"
complete -c skirmish -n __skirmish_wants_ruleset -f -a "(skirmish rulesets | string replace -r '^(\S+) .*seats? +' '\$1\t')"
complete -c skirmish -n "__skirmish_wants query" -f -a "(skirmish query --list | __skirmish_table '[a-z_]*')"
complete -c skirmish -n "__skirmish_wants help" -f -a "(__skirmish_commands)"
complete -c skirmish -a "(__skirmish_second)"
complete -c skirmishd -n "string match -q -- '-*' (commandline --current-token)" -f -a "(skirmishd --help | __skirmish_table '--[a-z-]*')"
