function %(complete_func)s
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l word (commandline --cut-at-cursor --current-token | string trim --left --chars "'\"")
    set -l program %(prog_name)s
    if string match --quiet '*/*' -- $words[1]
        set program (string replace --regex '^~' $HOME -- $words[1])
    end
    set -l answer (env _TYPER_COMPLETE_ARGS=(string join \n -- $words | string collect) \
        "_TYPER_COMPLETE_WORD_TO_COMPLETE=$word" \
        %(autocomplete_var)s=complete_fish_words $program 2>/dev/null)
    if test "$answer[1]" = files
        set -l option (string sub --length $answer[2] -- "$word")
        for path in (__fish_complete_path (string sub --start (math 1 + $answer[2]) -- "$word"))
            echo "$option$path"
        end
    else if set --query answer[3]
        string join \n -- $answer[3..-1]
    end
end

complete --command %(prog_name)s --no-files --arguments "(%(complete_func)s)"
