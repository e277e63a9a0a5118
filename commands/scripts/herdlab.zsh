#compdef %(prog_name)s

%(complete_func)s() {
  local program=%(prog_name)s
  local -a answer offered
  [[ $words[1] == */* ]] && program=${~words[1]}
  answer=("${(@f)$(_TYPER_COMPLETE_ARGS=${(F)${(@Q)words[1,CURRENT-1]}} \
    _TYPER_COMPLETE_WORD_TO_COMPLETE=${(Q)PREFIX} \
    %(autocomplete_var)s=complete_zsh_words $program 2>/dev/null)}")
  offered=("${(@)answer[3,-1]}")
  compset -p ${answer[2]:-0}
  case $answer[1] in
    files) _files ;;
    open) _describe value offered -S '' ;;
    words) _describe value offered ;;
  esac
}

if [[ $funcstack[1] == _%(prog_name)s ]]; then
  %(complete_func)s "$@"
else
  compdef %(complete_func)s %(prog_name)s
fi
