import { styleText } from "node:util";

import type { Io } from "./io.ts";

/** How the command looks on this terminal: its signs, and dim where colour is welcome. */
export interface Look {
  readonly thought: string;
  readonly done: string;
  readonly warning: string;
  readonly failed: string;
  readonly step: string;
  readonly dim: (text: string) => string;
}

export function lookOf({ env, terminal }: Pick<Io, "env" | "terminal">): Look {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  const isUtf8 = locale === "" || /utf-?8/i.test(locale);
  const isColoured = terminal.stderr && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const signs = isUtf8
    ? { thought: "∴", done: "✓", warning: "⚠", failed: "✗", step: "▸" }
    : { thought: "*", done: "ok", warning: "!", failed: "x", step: ">" };
  return { ...signs, dim: (text) => (isColoured ? styleText("dim", text) : text) };
}
