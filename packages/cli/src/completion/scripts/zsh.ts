/** For zsh, sourced or as `_mull` in a folder of `$fpath`. */
export const zsh = `#compdef mull
# zsh completion for mull: eval "$(mull completion zsh)"

_mull() {
    local -a lines shown
    local line value directive
    lines=("\${(@f)$(mull complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
    directive=\${lines[-1]#:}
    lines[-1]=()
    if ((! (directive & 4))); then
        # In --file=a only what follows the sign is a path.
        compset -P '--*='
        _files
        return
    fi
    # A colon divides a value from what is said about it.
    for line in $lines; do
        value=\${line%%$'\\t'*}
        shown+=("\${value//:/\\\\:}\${\${line#$value}/$'\\t'/:}")
    done
    local -a suffix
    ((directive & 2)) && suffix=(-S '')
    _describe -V mull shown "\${(@)suffix}"
}

if [[ $funcstack[1] == _mull ]]; then
    _mull "$@"
else
    # A bare zsh has no completion before it is told to.
    (($+functions[compdef])) || { autoload -Uz compinit && compinit }
    compdef _mull mull
fi
`;
