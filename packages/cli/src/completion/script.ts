import { script } from "@bomb.sh/tab";

import { captured } from "./captured.ts";
import { bash } from "./scripts/bash.ts";
import { fish } from "./scripts/fish.ts";
import { zsh } from "./scripts/zsh.ts";

/** The library's scripts split words with spaces and run what is typed; these do not. */
const ours: ReadonlyMap<string, string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);

/** The text to source in a shell; it asks `mull complete` for the rest. */
export const completionScript = (shell: string): string =>
  ours.get(shell) ?? captured(() => script(shell, "mull", "mull"));
