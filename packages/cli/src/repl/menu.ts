import type { Candidate } from "./commands/command.ts";
import type { Look } from "./look.ts";
import { cutTo, type Widths } from "./rows.ts";

const mostRows = 5;

/** Completions under the editor. Nothing is taken until Tab. */
export class Menu {
  #candidates: readonly Candidate[] = [];
  #chosen: number | undefined;
  /** The line the candidates belong to. */
  #line = "";

  get isOpen(): boolean {
    return this.#candidates.length > 0;
  }
  get line(): string {
    return this.#line;
  }

  show(line: string, candidates: readonly Candidate[]): void {
    this.#line = line;
    const isDone = candidates.length === 1 && candidates[0]!.value.trimEnd() === line.trimEnd();
    this.#candidates = isDone ? [] : candidates;
    this.#chosen = undefined;
  }

  close(): void {
    this.show("", []);
  }

  /** Whether the candidates belong to this line: they are fetched, and keys may be faster. */
  isFor(text: string): boolean {
    const chosen = this.#chosen === undefined ? this.#line : this.#candidates[this.#chosen]?.value;
    return chosen === text;
  }

  /** One of them was chosen. */
  get isChosen(): boolean {
    return this.isOpen && this.#chosen !== undefined;
  }

  /** The candidate above or below the chosen one. */
  move(step: 1 | -1): string | undefined {
    const { length } = this.#candidates;
    if (length === 0) return undefined;
    const from = this.#chosen ?? (step === 1 ? -1 : length);
    this.#chosen = (from + step + length) % length;
    return this.#candidates[this.#chosen]!.value;
  }

  /** The next text for the line: first what all have in common, then one after the other. */
  next(step: 1 | -1): string | undefined {
    const { length } = this.#candidates;
    if (length === 0) return undefined;
    const common = this.#candidates.map(({ value }) => value).reduce(commonStart);
    if (this.#chosen === undefined && step === 1 && common.length > this.#line.length) {
      this.#line = common;
      if (length === 1) this.close();
      return common;
    }
    return this.move(step);
  }

  rows(width: number, room: number, look: Look, widths: Widths): readonly string[] {
    const height = Math.min(mostRows, room);
    if (!this.isOpen || height < 1) return [];
    const { length } = this.#candidates;
    const chosen = this.#chosen ?? 0;
    const first = Math.max(0, Math.min(chosen - height + 1, length - height));
    const shown = this.#candidates.slice(first, first + height);
    const size = Math.min(
      40,
      Math.max(...shown.map(({ value, label = value }) => label.length)) + 2,
    );
    return shown.map(({ value, label = value, help, isDim }, index) => {
      const isChosen = first + index === this.#chosen;
      const more =
        index === height - 1 && length > first + height ? ` (${length - first - height} more)` : "";
      const text = cutTo(`  ${label.padEnd(size)}${look.spell(help)}${more}`, width, widths);
      if (isChosen) return look.paint(text, "inverse");
      return isDim ? look.paint(text, "dim") : text;
    });
  }
}

function commonStart(one: string, other: string): string {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return one.slice(0, same);
}
