/** What is read of an answer. A `Response` has it, and more. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly headers: AnswerHeaders;
  readonly body: AnswerBody | null;
  readonly bodyUsed?: boolean;
}

/** Asked for in lower case. */
export interface AnswerHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
}

export interface AnswerBody {
  getReader(): ByteReader;
  cancel(reason?: unknown): Promise<void>;
}

/** What the reader of a web stream gives. The DOM's types have a name for it, Node's do not. */
export type ReadStep =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value: Uint8Array | undefined };

/** What the reader of a web stream does. */
export interface ByteReader {
  read(): Promise<ReadStep>;
  cancel(reason?: unknown): Promise<void>;
}

/** Posts a text and resolves when the head of the answer has come. Every `fetch` can. */
export type Post = (url: string, init: PostInit) => Promise<Answer>;

export interface PostInit extends RequestInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}
