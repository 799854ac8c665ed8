import type { WireId } from "mull";

import type { ClientHeaders } from "./client-exchange.ts";

/** What a request to the gateway asks for. */
export interface AskedRoute {
  readonly wire: WireId;
  readonly action: "generate" | "count" | "compact" | "models";
  /** The model, if the path names it (Google, and the page of one model); else the body does. */
  readonly model?: string;
  /** Whether to stream, if the path says so (Google); else the body does. */
  readonly stream?: boolean;
}

const googleActions: ReadonlyMap<string, Pick<AskedRoute, "action" | "stream">> = new Map([
  ["generateContent", { action: "generate", stream: false }],
  ["streamGenerateContent", { action: "generate", stream: true }],
  ["countTokens", { action: "count" }],
] as const);

const posts: ReadonlyMap<string, AskedRoute> = new Map([
  ["/messages", { wire: "anthropic-messages", action: "generate" }],
  ["/messages/count_tokens", { wire: "anthropic-messages", action: "count" }],
  ["/responses", { wire: "openai-responses", action: "generate" }],
  ["/responses/input_tokens", { wire: "openai-responses", action: "count" }],
  ["/responses/compact", { wire: "openai-responses", action: "compact" }],
  ["/chat/completions", { wire: "openai-chat", action: "generate" }],
] as const);

/** Finds what a request asks for; `undefined` for paths that no client has a use for. */
export function routeOf(
  method: string,
  path: string,
  headers: ClientHeaders,
): AskedRoute | undefined {
  const place = path.replace(/\/+$/, "");
  if (method === "POST") {
    // Model names hold slashes: gemini-cli sends `gpt-6-sol/high` as it is.
    const google = /^\/v1(?:beta|alpha)?\/models\/(.+):(\w+)$/.exec(place);
    if (google !== null) return googleRoute(google[1]!, google[2]!);
    return posts.get(place.replace(/^\/v1(?=\/)/, ""));
  }
  // Names of models hold slashes here, too.
  const models = /^(?:\/v1(?:beta|alpha)?)?\/models(?:\/(.+))?$/.exec(place);
  if (method !== "GET" || models === null) return undefined;
  const [, model] = models;
  return {
    wire: callerOf(place, headers),
    action: "models",
    ...(model !== undefined && { model: unescaped(model) }),
  };
}

function googleRoute(model: string, verb: string): AskedRoute | undefined {
  const asked = googleActions.get(verb);
  return asked && { wire: "google-generate", model: unescaped(model), ...asked };
}

/** A name that is badly escaped is an unknown model, not a fault of the gateway. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The wire of the client, even for an unknown path: errors are written in it. */
export function callerOf(path: string, headers: ClientHeaders): WireId {
  if (/^\/v1(?:(?:beta|alpha)(?:\/|$)|\/models\/.+:)/.test(path) || headers.has("x-goog-api-key"))
    return "google-generate";
  if (/\/messages(?:\/|$)/.test(path) || headers.has("anthropic-version"))
    return "anthropic-messages";
  return /\/responses(?:\/|$)/.test(path) ? "openai-responses" : "openai-chat";
}
