# Completion of skirmish and skirmishd for fish, from the output of their --help.

function __skirmish_table --argument-names pattern # lines of the help as word, tab, what it does
    sed -n "s/^  \($pattern\)  *\(.*\)/\1\t\2/p"
end

function __skirmish_options
    set -l words (commandline --tokenize --cut-at-cursor)
    set -l command $words[2]
    if test "$words[2] $words[3]" = "bot replay"
        set command bot replay
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
complete -c skirmish -n "__skirmish_wants bot" -a replay -d "send a web service its past requests again"
complete -c skirmishd -n "string match -q -- '-*' (commandline --current-token)" -f -a "(skirmishd --help | __skirmish_table '--[a-z-]*')"
