import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";
import { asObject, asObjects, tryParse } from "./json-reading.ts";
import { limits } from "./limits.ts";
import { plainText } from "./service-error.ts";
import { isTooDeep } from "./tool-input.ts";

/** What a server says about a failure, read from any of the shapes in use. */
export interface Complaint {
  /** Empty if the error has none. */
  readonly message: string;
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** The status inside the body, which a 200 or a gateway hides. */
  readonly status: number | undefined;
  /** Google's name for the status. */
  readonly word: string | undefined;
  readonly details: readonly JsonObject[];
}

/** Proxies put the whole error of a service into the `message` of their own, as a string, and proxies of proxies do it again. */
const mostWraps = 3;

/** Reads the body of a refusal; `undefined` if it has none of the known shapes. */
export function readComplaint(body: unknown, depth = 0): Complaint | undefined {
  const outer = asObject(Array.isArray(body) ? body[0] : body);
  const { error } = outer;
  const flat = isJsonObject(error) ? error : outer;
  const told = firstText(flat["message"]);
  const wrapped =
    told?.trimStart().startsWith("{") && depth < mostWraps ? tryParse(told) : undefined;
  const inner = wrapped === undefined ? undefined : readComplaint(wrapped, depth + 1);
  if (inner !== undefined) return inner;
  const message =
    upstreamMessage(flat) ??
    firstText(told, error, flat["detail"], detailMessages(flat["detail"]), outer["detail"]) ??
    firstText(asObject(flat["base_resp"])["status_msg"]) ??
    wrappedMessage(outer);
  if (message === undefined && !isJsonObject(error)) return undefined;
  const code = flat["code"] ?? flat["error_code"] ?? outer["code"];
  const type = firstText(flat["type"]);
  return {
    message: message ?? "",
    code: typeof code === "number" ? `${code}` : firstText(code),
    // The `type` of a streamed error event is `error`, which says nothing.
    type: type === "error" ? undefined : type,
    status: [flat["status_code"], flat["raw_status_code"], flat["status"], code]
      .map(asNumber)
      .find((status) => status !== undefined && status >= 400 && status < 600),
    word: firstText(flat["status"]),
    details: asObjects(flat["details"]).filter((detail) => !isTooDeep(detail, limits.jsonDepth)),
  };
}

/** OpenRouter says "Provider returned error" and keeps the provider's words in `metadata.raw`. */
function upstreamMessage(error: JsonObject): string | undefined {
  const raw = firstText(asObject(error["metadata"])["raw"]);
  if (raw === undefined) return undefined;
  const own = firstText(error["message"]);
  return own === undefined ? wordsIn(raw) : `${own}: ${wordsIn(raw)}`;
}

function wrappedMessage(outer: JsonObject): string | undefined {
  const text = firstText(outer["html-message"]);
  return text && wordsIn(text);
}

const wordsIn = (body: string): string =>
  readComplaint(tryParse(body), mostWraps)?.message ?? plainText(body);

const detailMessages = (detail: JsonValue | undefined): string | undefined =>
  Array.isArray(detail)
    ? detail
        .filter(isJsonObject)
        .map(({ loc, msg }) =>
          [Array.isArray(loc) ? loc.join(".") : "", firstText(msg) ?? ""]
            .filter((text) => text !== "")
            .join(": "),
        )
        .join("; ")
    : undefined;

export const firstText = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value !== "");

const asNumber = (value: JsonValue | undefined): number | undefined =>
  typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value))
    ? Number(value)
    : undefined;
