import type { Decision, PendingCall } from "mull";
import { plural } from "mull/wire";
import { decisionWords, readDecision, type Permissions } from "../tools/permissions.ts";
import type { Tone } from "./commands/command.ts";
import { toTerminal } from "./to-terminal.ts";

interface ApprovalsOptions {
  readonly say: (lines: readonly string[], tone?: Tone) => void;
  readonly permissions: Permissions;
}

/** Asks about one call after the other; what is typed next is the answer. */
export class Approvals {
  readonly #options: ApprovalsOptions;
  #asked: { readonly name: string; readonly decide: (decision: Decision) => void } | undefined;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  get isAsking(): boolean {
    return this.#asked !== undefined;
  }

  ask({ call }: PendingCall, signal: AbortSignal): Promise<Decision> {
    const { permissions, say } = this.#options;
    if (permissions.has(call.name)) return Promise.resolve("run");
    say([`⚠ ${call.name} waits for you:`, ...inputLines(call.input), howToAnswer]);
    return new Promise((resolve) => {
      const decide = (decision: Decision): void => {
        this.#asked = undefined;
        resolve(decision);
      };
      this.#asked = { name: call.name, decide };
      signal.addEventListener("abort", () => decide({ refuse: "the turn was stopped" }), {
        once: true,
      });
    });
  }

  /** Takes what was typed as the answer. */
  answer(text: string): void {
    if (this.#asked === undefined) return;
    const { name, decide } = this.#asked;
    const decision = readDecision(text);
    if (decision === "always") {
      this.#options.permissions.add(name);
      this.#options.say([`✓ ${name} runs without asking in this conversation.`], "good");
      decide("run");
    } else if (decision === undefined) this.#options.say([howToAnswer], "note");
    else decide(decision);
  }
}

const howToAnswer = `  ${decisionWords}`;

const mostLines = 12;

/** A line break in a string of JSON; `\\n` there is a backslash before an n. */
const lineBreak = /(?<!\\)((?:\\\\)*)\\n/g;

/** What it would do, in full if that is short; the text of a file as lines behind a bar. */
function inputLines(input: unknown): readonly string[] {
  const json = JSON.stringify(input, null, 2).replaceAll(lineBreak, "$1\n  ┆ ");
  const lines = toTerminal(json).split("\n");
  const shown = lines.slice(0, mostLines).map((line) => `    ${line}`);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `    … ${plural(more, "line")} more`] : shown;
}
