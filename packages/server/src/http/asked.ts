/** What handlers see of a request: a web `Request` is one, and so is what Node's own server read. */
export interface RequestedUrl {
  readonly method: string;
  readonly headers: { readonly get: (name: string) => string | null };
  /** Whole where it was small, else as it comes. */
  readonly body: Uint8Array | ReadableStream<Uint8Array> | null;
  /** Aborted when who asks has left. */
  readonly signal: AbortSignal;
}
