import type {
  JSONValue,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { AssistantMessage, AssistantPart, JsonObject, Receipt } from "mull";
import { isJsonObject } from "mull/wire";

/**
 * What the AI SDK carries for us on each part: seals and whatever else its own types have no place for.
 * It comes back as `providerOptions` of the same part, also out of a database and out of a browser.
 */
type Carried = Readonly<Record<string, unknown>>;

/** What belongs to a whole message travels on its first part: the AI SDK keeps nothing on the message. */
export type AboutMessage = Pick<AssistantMessage, "origin" | "effort" | "interrupted">;

export const carry = (fields: Carried, about?: AboutMessage): SharedV4ProviderMetadata => ({
  mull: plainJson({ ...fields, ...(about !== undefined && { message: about }) }),
});

/** A copy without `undefined`, which the AI SDK refuses in stored messages. */
const plainJson = (fields: Carried): Record<string, JSONValue> =>
  JSON.parse(JSON.stringify(fields)) as Record<string, JSONValue>;

/** What `carry` wrote, and what of it is about the message. */
export function carried(options: SharedV4ProviderOptions | undefined): {
  readonly own: JsonObject;
  readonly about: AboutMessage | undefined;
} {
  const given: unknown = options?.["mull"];
  if (!isJsonObject(given)) return { own: {}, about: undefined };
  const { message, ...own } = given;
  return { own, about: isJsonObject(message) ? message : undefined };
}

/**
 * A part for which the AI SDK has no place: a vendor's own block, a file that is somewhere else, or a seal on an
 * empty text, which version 6 drops. It travels as a thought without words, which every version keeps.
 */
export const isKept = (part: AssistantPart): boolean =>
  part.type === "opaque" ||
  (part.type === "text" && part.text === "") ||
  (part.type === "file" && part.source?.type !== "base64");

/** The kept part, if a thought without words carries one. What is no part is refused with the request. */
export function keptPart({ part }: JsonObject): AssistantPart | undefined {
  return isPart(part) && isKept(part) ? part : undefined;
}

const isPart = (part: unknown): part is AssistantPart =>
  isJsonObject(part) && typeof part["type"] === "string";

/** The receipt in the `providerMetadata` of a result, a step or a `finish` part. */
export function readReceipt(
  metadata: Readonly<Record<string, object>> | undefined,
): Receipt | undefined {
  const own = metadata?.["mull"];
  const receipt = isJsonObject(own) ? own["receipt"] : undefined;
  return isReceipt(receipt) ? receipt : undefined;
}

const isReceipt = (value: unknown): value is Receipt =>
  isJsonObject(value) && isJsonObject(value["plan"]) && Array.isArray(value["withheld"]);
