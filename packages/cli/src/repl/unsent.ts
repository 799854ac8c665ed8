import type { Editor } from "./editor.ts";

/**
 * A message that came back into the editor because it could not be sent. As long as it is not edited
 * it, a slash begins a command in its place, and it is there again when that is done.
 */
export class Unsent {
  readonly #editor: Editor;
  #text: string | undefined;
  #isAside = false;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  keep(text: string): void {
    this.#text = text;
    this.#isAside = false;
  }

  /** It was sent, or something else was. */
  forget(): void {
    this.#text = undefined;
    this.#isAside = false;
  }

  /** Makes room for a command. */
  stepAside(): void {
    if (this.#text === undefined || !this.#editor.isAtEnd) return;
    if (this.#editor.text !== this.#text) return;
    this.#editor.clear();
    this.#isAside = true;
  }

  /** The command is over or was deleted. */
  comeBack(): void {
    if (this.#text === undefined || !this.#isAside || !this.#editor.isEmpty) return;
    this.#editor.set(this.#text);
    this.#isAside = false;
  }
}
