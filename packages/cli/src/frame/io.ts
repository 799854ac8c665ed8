/** What a command can touch: arguments, streams, files, environment, clock. Tests pass their own. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Resolves when the reader has room again. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** Rewrites the last row of stderr; absent if stderr is not a terminal that can. */
  readonly redraw?: ((line: string) => void) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly terminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly stderr: boolean;
  };
  /** Columns of the terminal on stdout, or else on stderr, if there is one. */
  readonly columns?: number | undefined;
  /** Its rows. */
  readonly rows?: number | undefined;
  /** stdin was left open by the program that started us: it may stay silent for ever. */
  readonly mayBeSilent: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** The reader of our output went away: stop quietly. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

/** Input and output are both a terminal, so a chat is possible. */
export const isAtTerminal = ({ terminal }: Pick<Io, "terminal">): boolean =>
  terminal.stdin && terminal.stdout;
