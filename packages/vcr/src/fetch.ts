/** The first argument of the global `fetch`. */
export type FetchInput = string | URL | Request;

/** The type of the global `fetch`. */
export type Fetch = (input: FetchInput, init?: RequestInit) => Promise<Response>;

/** A `fetch` that makes real calls, for recording. */
export type LiveFetch = (input: string, init: RequestInit) => Promise<Response>;

export const modes = ["replay", "record", "refresh", "passthrough"] as const;
/**
 * `replay`: the cassette answers, no network. `record`: real calls, the cassette is rewritten.
 * `refresh`: keeps what still matches, records what is new, drops what is no longer requested.
 * `passthrough`: real calls, the cassette is not touched.
 */
export type Mode = (typeof modes)[number];

/** A `fetch` on a cassette. Call `done` at the end: it reports what went wrong, and writes a recording. */
export interface CassetteFetch extends Fetch, AsyncDisposable {
  readonly mode: Mode;
  /**
   * Recording: checks, scans and writes the cassette. Replaying: throws if a request did not match
   * or an exchange was not asked for. May be called more than once.
   */
  readonly done: () => Promise<void>;
  /** Ends without writing and without checking: the old cassette stays. */
  readonly discard: () => Promise<void>;
}

export const withEnd = (
  fetch: Fetch,
  mode: Mode,
  end: { readonly done: () => Promise<void>; readonly discard: () => Promise<void> },
): CassetteFetch => {
  let ended: Promise<void> | undefined;
  const once =
    (how: () => Promise<void>): (() => Promise<void>) =>
    () =>
      (ended ??= how());
  const done = once(end.done);
  return Object.assign((input: FetchInput, init?: RequestInit) => fetch(input, init), {
    mode,
    done,
    discard: once(end.discard),
    [Symbol.asyncDispose]: done,
  });
};

/** A response made by hand has no address; clients print and compare it. */
export const withUrl = (response: Response, url: string): Response =>
  Object.defineProperty(response, "url", { value: url });
