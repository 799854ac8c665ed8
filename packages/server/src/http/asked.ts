/** What handlers see of a request: a web `Request`, or what Node's own server read. */
export interface RequestedUrl {
  readonly method: string;
  readonly headers: { readonly get: (name: string) => string | null };
  /** Whole if it was small, otherwise a stream. */
  readonly body: Uint8Array | ReadableStream<Uint8Array> | null;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}
