import {
  MullError,
  type ChatTarget,
  type FilePart,
  type JsonObject,
  type JsonValue,
  type Message,
  type Part,
  type Provider,
  type WireId,
} from "mull";
import { rulesOf } from "mull/rules";
import { isJsonObject } from "mull/wire";

import type { ClientCall } from "./client-call.ts";
import { isOwnVendor } from "./connections.ts";

/** A refusal with the details its client looks for. */
export interface StateRefusal {
  readonly error: MullError;
  readonly details?: JsonObject;
}

const refuse = (message: string, code: string, field: string, fix?: string): MullError =>
  new MullError(message, { category: "invalid_argument", code, field, fix });

/** A part of the conversation that the client's own vendor keeps, and what to send instead. */
const keptParts: Partial<Readonly<Record<WireId, readonly [field: string, fix: string]>>> = {
  "openai-responses": ["prompt", "write the words of the prompt into instructions"],
  "google-generate": ["cachedContent", "send what is cached in systemInstruction and contents"],
};

/**
 * Refuses references to what the client's own vendor stores, when another vendor answers: the
 * gateway cannot look anything up there, and stores nothing itself. `isOwn`: another model of the
 * same vendor answers, which finds what is stored for all of them.
 */
export function refuseState(
  wire: WireId,
  body: JsonObject,
  isOwn: boolean,
): StateRefusal | undefined {
  const [field, fix] = keptParts[wire] ?? [];
  if (!isOwn && field !== undefined && fix !== undefined && isGiven(body[field]))
    return { error: refuse(`${field}: it is not stored here`, "not_stored", field, fix) };
  if (wire === "anthropic-messages") return refuseThread(body);
  return wire === "openai-responses" ? refuseStored(body) : undefined;
}

/** Google's clients write `cachedContent: ""` for none. */
const isGiven = (value: JsonValue | undefined): boolean => (value ?? "") !== "";

function refuseStored(body: JsonObject): StateRefusal | undefined {
  const field = ["previous_response_id", "conversation"].find((name) => isGiven(body[name]));
  if (field !== undefined)
    return {
      error: refuse(
        `${field}: the answer to continue from is not stored here`,
        "previous_response_not_found",
        field,
        "set store: false and send the whole conversation in input",
      ),
    };
  const input = Array.isArray(body["input"]) ? body["input"] : [];
  const at = input.findIndex((item) => isJsonObject(item) && item["type"] === "item_reference");
  if (at >= 0)
    return {
      error: refuse(
        `input[${at}]: the item it refers to is not stored here`,
        "item_not_found",
        `input[${at}]`,
        "set store: false and include: ['reasoning.encrypted_content'], and send items whole",
      ),
    };
  if (body["background"] === true)
    return {
      error: refuse(
        "background: this model answers while you wait",
        "unsupported_parameter",
        "background",
        "leave background out and set store: false",
      ),
    };
  return undefined;
}

/** The field of each wire that holds the conversation, and how a file travels in it. */
const conversationOf: Readonly<Record<WireId, readonly [field: string, file: string]>> = {
  "anthropic-messages": ["messages", "as base64, or by its url"],
  "openai-responses": ["input", "in file_data or image_url"],
  "openai-chat": ["messages", "in file_data or image_url"],
  "google-generate": ["contents", "as inlineData"],
};

/** Refuses a conversation that is empty, or that holds files which only the client's own vendor has. */
export function refuseMissing(
  wire: WireId,
  messages: readonly Message[],
  provider: Provider,
): void {
  const [field, file] = conversationOf[wire];
  if (!messages.some(saysSomething))
    throw refuse(
      `${field}: at least one message with words is needed`,
      "empty_conversation",
      field,
      "add one",
    );
  if (isOwnVendor(provider, wire)) return;
  const kept = messages.flatMap(({ parts }) => parts.flatMap(filesOf)).find(isKeptByVendor);
  if (kept !== undefined)
    throw refuse(
      `${field}: ${provider.name} cannot read a file that another vendor keeps: ${nameOf(kept)}`,
      "file_not_found",
      field,
      `send the file itself, ${file}`,
    );
}

const saysSomething = ({ role, parts }: Message): boolean =>
  role !== "system" && parts.some((part) => part.type !== "text" || part.text !== "");

function filesOf(part: Part): readonly FilePart[] {
  if (part.type === "file") return [part];
  if (part.type !== "tool-result" || typeof part.output === "string") return [];
  return part.output.filter((each) => each.type === "file");
}

/** Files of the Gemini API and of Vertex. */
const googleFile = /^(?:https:\/\/generativelanguage\.googleapis\.com\/|gs:\/\/)/;

const isKeptByVendor = ({ source }: FilePart): boolean =>
  source.type === "id" || (source.type === "url" && googleFile.test(source.url));

const nameOf = ({ source }: FilePart): string =>
  (source.type === "id" ? source.id : source.type === "url" ? source.url : "").slice(0, 200);

/** The SDK's tool runner sends everything again without threads when it is told so in these words. */
function refuseThread(body: JsonObject): StateRefusal | undefined {
  if (body["thread"] == null || body["thread"] === false) return undefined;
  return {
    error: refuse(
      "thread: this request cannot be threaded",
      "thread_unsupported_request",
      "thread",
      "send the whole conversation in messages",
    ),
    details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
  };
}

/** The rules about what a field may hold. They don't depend on the model that answers. */
const typeRules: ReadonlySet<string> = new Set([
  "anthropic/field-types",
  "anthropic/max-tokens",
  "anthropic/messages",
  "openai-chat/field-types",
  "openai-chat/numbers",
  "openai-chat/role",
  "openai/field-types",
  "google/number",
]);

/**
 * Refuses values that the client's own service couldn't read either, in its words: `max_tokens: "many"`.
 * Without this they would be left out, and the client would never know.
 */
export function refuseMistyped(
  { wire, url, headers, body }: Pick<ClientCall, "wire" | "url" | "headers" | "body">,
  target: ChatTarget,
): MullError | undefined {
  // A cap above what this model writes is lowered later.
  const model = { ...target.model, outputCap: Infinity };
  const asked = { wire, model, path: url.pathname, headers: Object.fromEntries(headers), body };
  const found = rulesOf(wire)
    .filter(({ id }) => typeRules.has(id))
    .flatMap((rule) => rule.check(asked))
    // What is absent, and an empty conversation, are judged where they are read.
    .find(({ path }) => /\W/.test(path) || (body[path] != null && path !== "messages"));
  return (
    found && refuse(found.message, found.answer?.code ?? "invalid_type", found.path, found.fix)
  );
}
