/** For fish, sourced or as `mull.fish` in its folder of completions. */
export const fish = `# fish completion for mull: mull completion fish > ~/.config/fish/completions/mull.fish

function __mull_complete
    set -l before (commandline -opc)
    set -l typed (commandline -ct | string unescape)
    set -l lines (mull complete -- $before[2..-1] "$typed" 2>/dev/null)
    if string match -q -- :0 $lines[-1]
        # In --file=a only what follows the sign is a path.
        set -l option (string match -r -- '^--[^=]*=' "$typed")
        set -l paths (__fish_complete_path (string replace -- "$option" '' "$typed"))
        test -n "$paths"; and printf '%s\\n' "$option"$paths
    else
        test (count $lines) -gt 1; and printf '%s\\n' $lines[1..-2]
    end
end

complete -c mull -e
complete -c mull -k -f -a '(__mull_complete)'
`;
