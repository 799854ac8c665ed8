import { script } from "@bomb.sh/tab";

import { captured } from "./captured.ts";

/** The text to source in a shell; it asks `mull complete` for the rest. */
export const completionScript = (shell: string): string =>
  captured(() => script(shell, "mull", "mull"));
