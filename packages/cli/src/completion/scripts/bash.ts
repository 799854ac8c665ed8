/**
 * For bash, 3.2 of macOS included. Readline cuts words at `:` and `=` and replaces the last piece
 * alone, so the pieces are put together before we are asked and cut off the replies afterwards.
 * What is being typed is handed over, never run.
 */
export const bash = `# bash completion for mull: eval "$(mull completion bash)"

__mull_complete() {
    local IFS=$'\\n' rest=\${COMP_LINE:0:COMP_POINT} words=() count=0 piece trimmed joins='' index
    for ((index = 0; index <= COMP_CWORD; index++)); do
        piece=\${COMP_WORDS[index]}
        trimmed=\${rest#"\${rest%%[![:space:]]*}"}
        # Of the last word only what stands before the cursor counts.
        ((index == COMP_CWORD)) && piece=$trimmed
        [[ $piece == [:=]* ]] && joins=yes
        if ((count > 0)) && [[ $rest == "$trimmed" && -n $joins ]]; then
            words[count - 1]+=$piece
        else
            words[count++]=$piece
        fi
        joins=''
        [[ $piece == *[:=] ]] && joins=yes
        rest=\${trimmed#"$piece"}
    done

    local typed=\${words[count - 1]} quote='' given=() word
    for word in "\${words[@]:1}"; do
        quote=\${word:0:1}
        case $quote in
            [\\"\\'])
                word=\${word#?}
                word=\${word%"$quote"}
                ;;
            *)
                quote=''
                word=\${word//\\\\/}
                ;;
        esac
        given+=("$word")
    done

    local lines=() line directive
    while read -r line; do lines+=("$line"); done < <(mull complete -- "\${given[@]}" 2>/dev/null)
    ((\${#lines[@]} > 0)) || return
    directive=\${lines[\${#lines[@]} - 1]#:}
    unset "lines[\${#lines[@]} - 1]"
    # Version 3.2 has no compopt.
    ((directive & 4)) && compopt +o default 2>/dev/null
    ((directive & 2)) && compopt -o nospace 2>/dev/null
    compopt -o nosort 2>/dev/null

    local kept='' breaks=''
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
    [[ -z $quote && -n $breaks ]] && kept=\${typed%"\${typed##*["$breaks"]}"}
    COMPREPLY=()
    for line in "\${lines[@]}"; do
        line=\${line%%$'\\t'*}
        line=\${line#"$kept"}
        [[ -z $quote && $line == *[!A-Za-z0-9_./,:=@%+-]* ]] && printf -v line %q "$line"
        COMPREPLY+=("$line")
    done
}

complete -o default -F __mull_complete mull
`;
