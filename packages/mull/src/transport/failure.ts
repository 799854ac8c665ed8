import { isMullError, MullError, type MullErrorFields } from "../types/error.ts";
import type { LimitName } from "./deadline.ts";

/** The service that was asked, and how to remove secrets from texts about it. */
export interface RemotePeer {
  readonly host: string;
  readonly provider?: string | undefined;
  readonly scrub: Scrub;
}

type Trouble = readonly [
  codes: RegExp,
  category: "network" | "protocol" | "timeout",
  says: string,
  /** A retry would fail the same way, e.g. at a certificate that isn't trusted. */
  isFinal?: true,
];

const runtimeLimit =
  "the runtime's limit of silence (300 s in Node) was hit; pass a `fetch` or a `dispatcher` with headersTimeout and bodyTimeout 0";

/** What the error codes of runtimes mean. The first match counts. */
const troubles: readonly Trouble[] = [
  [/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, "timeout", runtimeLimit],
  [/^ENOTFOUND|^EAI_/, "network", "the name does not resolve"],
  [/^ECONNREFUSED/, "network", "the connection was refused"],
  [/TIMEOUT$|^ETIMEDOUT/, "network", "the connection could not be made in time"],
  [
    /_SSL_|_TLS_|EPROTO|CERT|^UNABLE_TO_/,
    "network",
    "TLS failed; check address and certificate",
    true,
  ],
  [/^HPE_|HTTPParserError|_OVERFLOW$/, "protocol", "the answer is not valid HTTP", true],
  // Codes of runtimes are in capitals. One that is not comes from the caller's `fetch`, e.g. a player of
  // recordings that has no answer for this request: it will have none at the next attempt either.
  [/^[a-z]/, "network", "the given `fetch` failed; the cause says why", true],
];

const lostConnection: Trouble = [/^/, "network", "the connection was lost"];

/** The error for a `fetch` or body that threw. It repeats no address, header or body. */
export function connectionFailure(thrown: unknown, peer: RemotePeer): MullError {
  const { code, text } = describeThrown(thrown);
  const [, category, says, isFinal] =
    troubles.find(([codes]) => codes.test(code ?? "")) ?? lostConnection;
  return new MullError(
    `${peer.host}: ${says}${code === undefined ? "" : ` (${code})`}.`,
    { category, retryable: isFinal !== true, code, provider: peer.provider },
    { cause: new Error(peer.scrub(text)) },
  );
}

/** Whether `fetch` failed because of a redirect, which it is told not to follow. */
export const isRedirect = (thrown: unknown): boolean =>
  /redirect/i.test(describeThrown(thrown).text);

/** Code and texts of an error and its causes: the `TypeError: fetch failed` on top says nothing, `ECONNREFUSED` two causes below does. */
function describeThrown(thrown: unknown): {
  readonly code?: string | undefined;
  readonly text: string;
} {
  const texts: string[] = [];
  let code: string | undefined;
  let next = thrown;
  for (let depth = 0; depth < 4 && next instanceof Error; depth++) {
    texts.push(`${next.name}: ${next.message}`);
    if ("code" in next && typeof next.code === "string") code ??= next.code;
    // Up to Node 22 it has a code, e.g. `HPE_INVALID_CONSTANT`; from Node 24 on only its name tells.
    else if (next.name === "HTTPParserError") code ??= next.name;
    next = next.cause;
  }
  return { code, text: texts.length > 0 ? texts.join(" < ") : String(thrown) };
}

/** The error for an abort by the caller's signal, with the signal's reason as its cause. */
export const abortFailure = (reason: unknown, { host, provider }: RemotePeer): MullError =>
  isTimeout(reason)
    ? stopped(`${host} did not finish before the caller's signal timed out.`, reason, provider)
    : stopped(`The request to ${host} was aborted.`, reason, provider);

/** The error for an aborted signal: category `timeout` if it comes from `AbortSignal.timeout`, else `aborted`. */
export const stopped = (what: string, reason: unknown, provider?: string): MullError =>
  new MullError(
    what,
    isTimeout(reason)
      ? { category: "timeout", code: "signal", provider }
      : { category: "aborted", provider },
    { cause: reason },
  );

/** Goes by the name: for a `DOMException` from an iframe or a worker `instanceof` is false. */
const isTimeout = (reason: unknown): boolean =>
  reason instanceof Object && "name" in reason && reason.name === "TimeoutError";

const limitWords: Readonly<Record<LimitName, string>> = {
  firstByteMs: "sent no byte",
  idleMs: "fell silent",
  progressMs: "sent no content",
  totalMs: "did not finish",
};

/** The error for a time limit that has passed. */
export const timeoutFailure = (name: LimitName, ms: number, peer: RemotePeer): MullError =>
  new MullError(`${peer.host} ${limitWords[name]} within ${ms} ms (${name}).`, {
    category: "timeout",
    code: name,
    retryable: true,
    provider: peer.provider,
  });

/** The error for a stream that was opened, and then left lying without a further read. */
export const unreadFailure = (ms: number, peer?: RemotePeer): MullError =>
  new MullError(
    peer === undefined
      ? `Nobody read the turn for ${ms} ms (idleMs), so it was ended.`
      : `Nobody read the answer of ${peer.host} for ${ms} ms (idleMs), so the connection was closed.`,
    {
      category: "timeout",
      code: "idleMs",
      fix: "read on, leave the loop, or raise limits.idleMs",
      provider: peer?.provider,
    },
  );

/** The error for an answer that is not what HTTP or the service's format allows. */
export const protocolFailure = (
  code: string,
  message: string,
  peer: RemotePeer,
  fields?: Partial<MullErrorFields>,
): MullError =>
  new MullError(peer.scrub(message), {
    category: "protocol",
    code,
    provider: peer.provider,
    ...fields,
  });

/**
 * A copy of an error with other fields and without secrets in any text. A cause may hold the request
 * with its key, so it is replaced by its text, unless it is the caller's own reason for stopping.
 */
export function rebuildError(
  error: MullError,
  peer: RemotePeer,
  fields?: Partial<MullErrorFields>,
  note = "",
): MullError {
  const clean = (text: string | undefined): string | undefined => text && peer.scrub(text);
  const own = {
    provider: error.provider ?? peer.provider,
    code: clean(error.code),
    fix: clean(error.fix),
  };
  return new MullError(
    peer.scrub(error.message) + note,
    Object.assign({}, error, own, fields),
    error.cause === undefined ? undefined : { cause: cleanCause(error, peer) },
  );
}

function cleanCause({ cause, category, code }: MullError, peer: RemotePeer): unknown {
  const isReason = category === "aborted" || code === "signal";
  return isReason || !(cause instanceof Error) || isMullError(cause)
    ? cause
    : new Error(peer.scrub(`${cause.name}: ${cause.message}`));
}

/** Takes secrets out of a text. */
export type Scrub = (text: string) => string;

const mask = "[redacted]";

/** Shorter values are left alone: a local server's key is often `x` or `none`, and masking every `x` leaves no readable text. */
const shortestSecret = 6;

/** Keys, tokens, passwords and cookies by their looks: a gateway may quote a key of its own that was never given to us. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[\w*-]{8,}/g, mask],
  [/\b(?:AIza|AQ\.|gsk_|xai-|hf_)[\w-]{10,}/g, mask],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${mask}`],
  [/(\b\w+:\/\/)[^\s/@"']+@/g, `$1${mask}@`],
  [/([?&](?:key|api[-_]?key|access_token|token)=)[^&\s"'#]+/gi, `$1${mask}`],
  [/((?:api[-_]key|cookie)["']?\s?[:=]\s?["']?)[^\s"'[]{6,}/gi, `$1${mask}`],
];

/**
 * Takes secrets out of a text that leaves the library: first every form that the given values can
 * take (raw, URL-encoded, escaped in JSON, base64 at any offset), then what looks like a secret.
 */
export function createScrubber(secrets: readonly string[]): Scrub {
  // Made for the first text: most requests end without an error and need none.
  let forms: readonly string[] | undefined;
  return (text) => {
    let clean = text;
    forms ??= [...new Set(secrets.filter((one) => one.length >= shortestSecret).flatMap(formsOf))]
      // The longest first: replacing `key-1` first would leave the `2` of `key-12` in the text.
      .toSorted((a, b) => b.length - a.length);
    for (const form of forms) clean = clean.replaceAll(form, mask);
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
    return clean;
  };
}

function formsOf(secret: string): readonly string[] {
  return [
    secret,
    // `encodeURIComponent` throws for half a surrogate pair.
    /[\uD800-\uDFFF]/.test(secret) ? secret : encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...[0, 1, 2].flatMap((offset) => base64At(secret, offset)),
  ];
}

/**
 * The base64 digits of a secret that begins `offset` bytes after the start of a group of three. In
 * `Basic dXNlcjpzZWNyZXQ=` the secret follows `user:`, and its digits differ from those it has alone.
 */
function base64At(secret: string, offset: number): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const text = "\0".repeat(offset) + String.fromCharCode(...bytes);
  const digits = btoa(text).slice(
    Math.ceil((offset * 8) / 6),
    Math.floor(((offset + bytes.length) * 8) / 6),
  );
  return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")];
}
