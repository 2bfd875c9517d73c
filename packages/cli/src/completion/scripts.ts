/**
 * Scripts for shells. Our own: the scripts of `@bomb.sh/tab` (0.0.22, bash and zsh) and `@pnpm/tabtab`
 * (0.5.4, fish) run the typed line through `eval`, which executes its content, and the former's needs the
 * package bash-completion. Here, each word is an argument.
 */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const BASH = `# bash completion of docent. To have it in every shell, add to ~/.bashrc:  eval "$(docent completion bash)"
_docent() {
  local line words
  read -ra words <<<"\${COMP_LINE:0:COMP_POINT}"
  [[ \${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
  COMPREPLY=()
  # Bash 3 knows no compopt, and offers files where there is nothing else.
  compopt +o default 2>/dev/null
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(docent complete bash -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _docent docent
`;

const ZSH = `#compdef docent
# zsh completion of docent. To have it in every shell, add to ~/.zshrc, after compinit:  eval "$(docent completion zsh)"
_docent() {
  local -a found
  local line files
  for line in "\${(@f)$(docent complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( $#found )) && _describe docent found
  [[ -n $files ]] && _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _docent "$@"
else
  compdef _docent docent
fi
`;

const FISH = `# fish completion of docent. To have it in every shell:  docent completion fish > ~/.config/fish/completions/docent.fish
function __docent_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    for line in (docent complete fish -- $words "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            printf '%s\\n' $line
        end
    end
end
complete -c docent -f -a '(__docent_complete)'
`;

export const SCRIPTS: Record<Shell, string> = { bash: BASH, zsh: ZSH, fish: FISH };
