/** A `fetch` function. Recorders, players, the emulator and the chat server all have this type. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Request headers: an object, pairs, a `Headers` or a `Map`. */
export type HeaderFields = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** What a service answered instead of a reply. Header names are lower case. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One server-sent event. */
export interface ServerSentEvent {
  readonly event?: string;
  readonly data: string;
}
