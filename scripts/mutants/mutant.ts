/** One thing switched off, and the tests that must notice. */
export interface Mutant {
  readonly name: string;
  /** Ids it shows: for each, a test that names it must fail. `R14`, `R14 R17` or `R14 to R17`. */
  readonly requirement?: string;
  /** Path under `packages`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly put: string;
  /** Beside those that name one of the ids. */
  readonly tests?: readonly string[];
}
