import { isMullError, MullError, type MullErrorFields } from "../types/error.ts";
import type { LimitName } from "./deadline.ts";
import type { Scrub } from "./scrub.ts";

/** Who was asked, and how to clean what is said about it. */
export interface Peer {
  readonly host: string;
  readonly provider?: string | undefined;
  readonly scrub: Scrub;
}

interface Trouble {
  readonly matches: RegExp;
  readonly category: "network" | "protocol" | "timeout";
  readonly says: string;
  /** False where asking again at once cannot help. */
  readonly isRepeatable: boolean;
}

const runtimeLimit =
  "the runtime's own limit of silence (300 s in Node) was hit. Pass a `fetch` or a `dispatcher` " +
  "with headersTimeout and bodyTimeout 0 to lift it";

const tlsCodes = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_)/;

/** What the error codes of runtimes mean. The first match counts. */
const troubles: readonly Trouble[] = [
  entry(/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, "timeout", runtimeLimit, false),
  entry(/^(?:ENOTFOUND|EAI_)/, "network", "the name does not resolve", true),
  entry(/^ECONNREFUSED$/, "network", "the connection was refused", true),
  entry(/TIMEOUT$|^ETIMEDOUT$/, "network", "the connection could not be made in time", true),
  entry(tlsCodes, "network", "TLS failed; check the address and its certificate", false),
  entry(/^HPE_|^UND_ERR_HEADERS_OVERFLOW$/, "protocol", "the answer is not valid HTTP", false),
  entry(/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "network", "the connection was lost", true),
  entry(/^/, "network", "the connection failed", true),
];

function entry(
  matches: RegExp,
  category: Trouble["category"],
  says: string,
  isRepeatable: boolean,
): Trouble {
  return { matches, category, says, isRepeatable };
}

/** `fetch` or a body threw. Says what happened without repeating addresses, headers or bodies. */
export function connectionFailure(thrown: unknown, peer: Peer): MullError {
  const { code, text } = describeThrown(thrown);
  const trouble = troubles.find(({ matches }) => matches.test(code));
  const label = code === "" ? "" : ` (${code})`;
  const { category = "network", says = "", isRepeatable = true } = trouble ?? {};
  return new MullError(
    `${peer.host}: ${says}${label}.`,
    {
      category,
      retryable: category === "timeout" || isRepeatable,
      code: code === "" ? undefined : code,
      provider: peer.provider,
    },
    { cause: new Error(peer.scrub(text)) },
  );
}

/** The useful part of `TypeError: fetch failed` is in its causes. */
function describeThrown(thrown: unknown): { readonly code: string; readonly text: string } {
  const texts: string[] = [];
  let code = "";
  let next = thrown;
  for (let depth = 0; depth < 4 && next instanceof Error; depth++) {
    texts.push(`${next.name}: ${next.message}`);
    if (code === "" && "code" in next && typeof next.code === "string") code = next.code;
    next = next.cause;
  }
  return { code, text: texts.length > 0 ? texts.join(" < ") : String(thrown) };
}

export const abortFailure = (reason: unknown, peer: Peer): MullError =>
  new MullError(
    `The request to ${peer.host} was aborted.`,
    { category: "aborted", provider: peer.provider },
    { cause: reason },
  );

const limitWords: Readonly<Record<LimitName, string>> = {
  firstByteMs: "sent no byte",
  idleMs: "fell silent",
  progressMs: "sent nothing of substance",
  totalMs: "did not finish",
};

export const timeoutFailure = (name: LimitName, ms: number, peer: Peer): MullError =>
  new MullError(`${peer.host} ${limitWords[name]} within ${ms} ms (${name}).`, {
    category: "timeout",
    code: name,
    retryable: true,
    provider: peer.provider,
  });

/** Something else than a service's refusal went wrong with an answer. */
export const protocolFailure = (
  code: string,
  message: string,
  peer: Peer,
  fields?: Partial<MullErrorFields>,
): MullError =>
  new MullError(peer.scrub(message), {
    category: "protocol",
    code,
    provider: peer.provider,
    ...fields,
  });

/** The same error with other fields, every text of it clean, and no object of others attached. */
export function rebuildError(
  error: MullError,
  peer: Peer,
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
    error.cause === undefined ? undefined : { cause: cleanCause(error.cause, peer) },
  );
}

const cleanCause = (cause: unknown, peer: Peer): unknown =>
  cause instanceof Error && !isMullError(cause)
    ? new Error(peer.scrub(`${cause.name}: ${cause.message}`))
    : cause;
