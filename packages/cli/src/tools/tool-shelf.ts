import type { Tool } from "mull";

/** The tools of a chat: all there are now, and those that were chosen. */
export class ToolShelf {
  readonly #all: () => readonly Tool[];
  #names: ReadonlySet<string> | undefined;

  constructor(all: () => readonly Tool[]) {
    this.#all = all;
  }

  get all(): readonly Tool[] {
    return this.#all();
  }

  /** In use; those that a server offers later are too, until somebody chooses. */
  get chosen(): readonly Tool[] {
    const names = this.#names;
    return names === undefined ? this.all : this.all.filter(({ spec }) => names.has(spec.name));
  }

  choose(tools: readonly Tool[]): void {
    this.#names = new Set(tools.map(({ spec }) => spec.name));
  }
}
