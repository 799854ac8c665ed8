import { script } from "@bomb.sh/tab";

import { captured } from "./captured.ts";

/** The text to source in a shell; it asks `mull complete` for the rest. */
export function completionScript(shell: string): string {
  const text = captured(() => script(shell, "mull", "mull"));
  if (shell !== "bash") return text;
  return bashMendings.reduce((mended, [what, by]) => mended.replaceAll(what, () => by), text);
}

/** Where the library's script for bash does harm, and what stands there instead. */
const bashMendings: readonly (readonly [what: RegExp, by: string])[] = [
  // Sourced twice, or beside another program's, these would be errors.
  [/^readonly (?=ShellCompDirective)/gm, ""],
  // The helper belongs to bash-completion, which is not everywhere.
  [
    /^ {4}_get_comp_words_by_ref .*\n/gm,
    `    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref -n "=:" cur prev words cword
    else
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=\${words[cword]}
    fi
`,
  ],
  // Words that are still being typed are handed over, never run.
  [
    /^ {4}# Build the command[^]*?^ {4}out=\$\(eval .*\n/gm,
    `    out=$(mull complete -- "\${words[@]:1:cword}" 2>/dev/null)
`,
  ],
  // Without this no file is ever offered, also where one belongs.
  [/^complete -F /gm, "complete -o default -F "],
];
