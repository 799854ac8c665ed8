/** The one seam to the world: recorder, player, emulator and server all have this type. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Headers as programs have them: by name, as pairs, a `Headers` or a `Map`. */
export type HeaderFields = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** What a service answered instead of a reply. Header names are lower case. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: string;
}
