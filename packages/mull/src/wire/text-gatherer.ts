/**
 * Adds up the deltas of one part. Bunches of them are joined early: `+=` alone would leave two small
 * objects a delta alive until the part ends, and collecting around those costs more than decoding.
 */
export class TextGatherer {
  #text = "";
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) === bunch) this.#join();
  }

  isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#text === "";
  }

  text(): string {
    if (this.#pieces.length > 0) this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text += this.#pieces.join("");
    this.#pieces = [];
  }
}

const bunch = 128;
