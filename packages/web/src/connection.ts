import { ApiError } from "./api.ts";

export type PageFetch = (url: string, init: RequestInit) => Promise<Response>;

interface Sending {
  readonly method?: string;
  readonly body?: object;
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** It goes on when the page is left. */
  readonly keepalive?: boolean;
}

/** Hears the facts in the headers of every answer. */
export interface ApiListener {
  /** The page that the server has now, with every answer. */
  readonly onPage: (tag: string) => void;
  /** Nobody can make an account. */
  readonly onClosed: () => void;
  /** The session has ended. */
  readonly onSignedOut: () => void;
}

/** Requests to the server this page came from. Reject with `ApiError`. */
export interface Connection {
  readonly send: (url: string, sending?: Sending) => Promise<Response>;
  readonly get: <T>(url: string) => Promise<T>;
  readonly post: <T>(url: string, body?: object) => Promise<T>;
}

export function connect(
  fetch: PageFetch,
  { onPage, onClosed, onSignedOut }: ApiListener,
): Connection {
  const send = async (
    url: string,
    { method = "GET", body, key, signal, keepalive = false }: Sending = {},
  ): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        credentials: "same-origin",
        keepalive,
        ...(signal !== undefined && { signal }),
        headers: {
          ...(method !== "GET" && { "content-type": "application/json" }),
          ...(key !== undefined && { "idempotency-key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new ApiError("The server cannot be reached.", 0, "offline");
    }
    const page = response.headers.get("x-mull-page");
    if (page !== null) onPage(page);
    if (response.headers.has("x-mull-closed")) onClosed();
    if (response.status === 401 && !url.startsWith("/api/account")) onSignedOut();
    if (!response.ok) throw await readRefusal(response);
    return response;
  };
  return {
    send,
    get: async <T>(url: string): Promise<T> => (await send(url)).json() as Promise<T>,
    post: async <T>(url: string, body: object = {}): Promise<T> =>
      (await send(url, { method: "POST", body })).json() as Promise<T>,
  };
}

async function readRefusal(response: Response): Promise<ApiError> {
  const fallback = `The server answered ${response.status}.`;
  try {
    const { error } = (await response.json()) as {
      error: { message?: string; code?: string; retryAfterMs?: number; fix?: string };
    };
    const words = [error.message ?? fallback, ...(error.fix === undefined ? [] : [error.fix])].join(
      " ",
    );
    return new ApiError(words, response.status, error.code ?? "", error.retryAfterMs);
  } catch {
    return new ApiError(fallback, response.status, "");
  }
}
