%(complete_func)s() {
    local line kind= program=%(prog_name)s
    [[ $1 == */* ]] && program=${1/#\~/$HOME}
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
    done <<< "$(_TYPER_COMPLETE_ARGS=${COMP_LINE:0:COMP_POINT} \
        _TYPER_COMPLETE_WORDBREAKS=$COMP_WORDBREAKS \
        %(autocomplete_var)s=complete_bash_words "$program" 2>/dev/null)"
    case $kind in
        files) compopt -o default ;;
        open) compopt -o nospace ;;
    esac 2>/dev/null
}

complete -F %(complete_func)s %(prog_name)s
