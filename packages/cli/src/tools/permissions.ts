/** Which tools run without asking: those named at the start, and those a person allowed in this conversation. */
export class Permissions {
  readonly #given: ReadonlySet<string>;
  readonly #always = new Set<string>();

  constructor(given: readonly string[] = []) {
    this.#given = new Set(given.flatMap((names) => names.split(",")));
  }

  has(tool: string): boolean {
    return this.#given.has(tool) || this.#given.has("all") || this.#always.has(tool);
  }

  add(tool: string): void {
    this.#always.add(tool);
  }

  /** Another conversation begins. */
  forget(): void {
    this.#always.clear();
  }
}

/** What a person may type about a call that waits. */
export const decisionWords =
  "y ⏎ yes · n ⏎ no, or n and a reason · a ⏎ always in this conversation";

/** What was typed as a decision; `undefined` if it is none. */
export function readDecision(
  text: string,
): "run" | "always" | { readonly refuse: string } | undefined {
  const [, word = "", reason = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  if (/^(?:n|no)$/i.test(word)) return { refuse: reason.trim() };
  if (reason !== "") return undefined;
  if (/^(?:y|yes)$/i.test(word)) return "run";
  return /^(?:a|always)$/i.test(word) ? "always" : undefined;
}
