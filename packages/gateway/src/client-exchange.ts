/** Header fields by name in lower case; values of one name joined by a comma. */
export type ClientHeaders = ReadonlyMap<string, string>;

/** A request of a client, whatever server took it. */
export interface ClientRequest {
  readonly method: string;
  /** Path and query, as they were asked for. */
  readonly target: string;
  readonly headers: ClientHeaders;
  /**
   * Hands over the body, piece by piece, until `take` returns `false`. Rejects if the body ends
   * too early.
   */
  readonly read: (take: (bytes: Uint8Array) => boolean) => Promise<void>;
  /** Aborts when the client goes. */
  readonly signal: AbortSignal;
}

/** Where the body of an answer goes. */
export interface ClientSink {
  /** `false`: the client has enough for now. */
  readonly write: (bytes: string | Uint8Array) => boolean;
  /** Settles when the client takes more, or is gone. */
  readonly ready: () => Promise<void>;
}

/** An answer to a client, whatever server sends it. */
export interface ClientAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * A whole body, or a function that writes it as it arrives, no faster than the client takes it.
   * It is called once, even if the client has left. If it rejects, the connection must break.
   */
  readonly body: string | Uint8Array | ((client: ClientSink) => Promise<void>);
}

/** A value as a whole answer. */
export const jsonAnswer = (
  value: object,
  headers: ClientAnswer["headers"] = {},
  status = 200,
): ClientAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
