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
