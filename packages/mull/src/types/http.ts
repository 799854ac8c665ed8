import type { JsonObject } from "./json.ts";

/** The one seam to the world: recorder, player, emulator and server all have this type. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** A request as plain data: what `encode` returns, cassettes record and tests compare. */
export interface HttpRequest {
  readonly method: "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

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
