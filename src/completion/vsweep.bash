# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for vsweep.  Everything offered comes from the program.
_vsweep() {
  local word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(vsweep complete 2>/dev/null)" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(vsweep complete "${COMP_WORDS[1]}" 2>/dev/null)" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _vsweep vsweep
