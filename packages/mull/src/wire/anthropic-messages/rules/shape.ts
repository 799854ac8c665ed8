import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { roleBeside } from "../client/messages.ts";
import { versionWithoutSampling } from "../client/encode.ts";
import { asList, asObject, asObjects, asText, without } from "../../common/json-reading.ts";
import {
  fault,
  cheap,
  pathOf,
  type RuleFault,
  type RuleFound,
  type RuleTable,
} from "../../common/rules/define-rule.ts";
import {
  faultAt,
  atPath,
  messagesOf,
  blocksOf,
  mapBlocks,
  type ViewedBlock,
  type ViewedMessage,
} from "./view.ts";

const versions = new Set(["2023-01-01", "2023-06-01", versionWithoutSampling]);

const isHosted = ({ path, body }: RuleInput): boolean =>
  body["anthropic_version"] !== undefined || path.includes(":") || path.includes("/model/");

const retired = new Set(["retired", "never-served"]);

function shapeFaults({ body }: RuleInput): RuleFound {
  const { messages } = body;
  if (messages === undefined) return faultAt("messages", "Field required");
  if (!Array.isArray(messages)) return faultAt("messages", "Input should be a valid list");
  if (messages.length === 0) return faultAt("messages", "at least one message is required");
  return messages.map(
    (message: JsonValue, at) =>
      !isMessage(message) && faultAt(`messages.${at}`, "Input does not match the expected shape."),
  );
}

const isMessage = (value: JsonValue): boolean => {
  if (!isJsonObject(value) || typeof value["role"] !== "string") return false;
  const { content } = value;
  return typeof content === "string" || (Array.isArray(content) && content.every(isJsonObject));
};

const isEmpty = ({ raw, message, entries }: ViewedMessage): boolean =>
  isJsonObject(raw) &&
  message["output_config"] == null &&
  ["undefined", "string", "object"].includes(typeof message["content"]) &&
  entries.every((entry) => isJsonObject(entry) && entry["type"] === "text" && entry["text"] === "");

const isBlank = ({ type, block }: ViewedBlock): boolean =>
  type === "text" && typeof block["text"] === "string" && !/\S/.test(block["text"]);

/** The service takes blank text only next to the model's own calls. */
const isRefusedText = (viewed: ViewedBlock, { role, blocks }: ViewedMessage): boolean =>
  viewed.block["text"] === "" ||
  (isBlank(viewed) && (role !== "assistant" || blocks.every(isBlank)));

const emptyMessages = (body: JsonObject): readonly ViewedMessage[] => {
  const messages = messagesOf(body);
  return messages.filter(
    (message, at) =>
      isEmpty(message) && !(at === messages.length - 1 && message.role === "assistant"),
  );
};

const notASystem =
  'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
const astray =
  "a `system` message must follow a `user` message and be last or be followed by an `assistant` message.";

const misplacedSystem = ({ model, body }: RuleInput): readonly RuleFault[] =>
  messagesOf(body).flatMap(({ role, path }, at, messages) => {
    if (role === "user" || role === "assistant") return [];
    if (role !== "system")
      return fault(path, `${path}.role: Input should be 'user' or 'assistant'`);
    if (model.systemMessages !== true) return fault(path, notASystem);
    const isBehindUser = roleBeside(messages, at, -1) === "user";
    const isBeforeAnswer = (roleBeside(messages, at, 1) ?? "assistant") === "assistant";
    return isBehindUser && isBeforeAnswer ? [] : faultAt(path, astray);
  });

const cacheMarks = (body: JsonObject): number =>
  [
    ...asObjects(body["tools"]),
    ...asObjects(body["system"]),
    ...blocksOf(body).map(({ block }) => block),
  ].filter((block) => block["cache_control"] != null).length;

const isTextList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** What top-level fields hold, where no other rule looks. */
const fieldTypes: readonly [name: string, holds: (value: JsonValue) => boolean, kind: string][] = [
  ["temperature", (value) => typeof value === "number", "number"],
  ["top_p", (value) => typeof value === "number", "number"],
  ["top_k", Number.isInteger, "integer"],
  ["stop_sequences", isTextList, "list"],
  ["system", (value) => typeof value === "string" || Array.isArray(value), "list"],
  ["tools", (value) => Array.isArray(value) && value.every(isJsonObject), "list"],
  ["metadata", isJsonObject, "dictionary"],
];

const isBlankStop = (stop: JsonValue): boolean => asText(stop).trim() === "";

export const toolName: RegExp = /^[a-zA-Z0-9_-]{1,128}$/;

/** Only the names at the top are checked. */
const propertyKey = /^[a-zA-Z0-9_.-]{1,64}$/;

function toolFaults({ body }: RuleInput): RuleFound {
  const tools = asObjects(body["tools"]);
  const names = tools.map((tool) => tool["name"]).filter((name) => name !== undefined);
  const faults = tools.map((tool, at): RuleFound => {
    if (!["", "custom"].includes(asText(tool["type"]))) return [];
    const path = `tools.${at}.custom`;
    const schema = tool["input_schema"];
    const isSchema = isJsonObject(schema);
    return [
      !toolName.test(asText(tool["name"])) &&
        faultAt(`${path}.name`, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
      !isSchema && faultAt(`${path}.input_schema`, "Field required"),
      isSchema &&
        schema["type"] !== "object" &&
        faultAt(`${path}.input_schema.type`, "Input should be 'object'"),
      isSchema &&
        Object.keys(asObject(schema["properties"])).some((key) => !propertyKey.test(key)) &&
        faultAt(
          `${path}.input_schema.properties`,
          "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
        ),
    ];
  });
  const isTwice = new Set(names).size < names.length;
  return [faults, isTwice && faultAt("tools", "Tool names must be unique.")];
}

/** What every request has: version, model, cap, messages. */
export const shapeRules: RuleTable = {
  "anthropic/api-version": cheap({
    summary: "The anthropic-version header is required.",
    find: (input) => {
      const path = "anthropic-version";
      const version = input.headers[path];
      if (version !== undefined && versions.has(version)) return [];
      if (isHosted(input) || Object.keys(input.headers).length === 0) return [];
      if (version === undefined) return faultAt(path, "header is required");
      return faultAt(path, `"${version}" is not a valid version`);
    },
  }),
  "anthropic/model-required": cheap({
    summary: "The body has a `model`.",
    says: atPath("Field required"),
    find: (input) => !isHosted(input) && typeof input.body["model"] !== "string" && "model",
  }),
  "anthropic/model-served": cheap({
    summary: "The model is one the service still serves.",
    fix: "Ask for a current model.",
    answer: { status: 404, type: "not_found_error" },
    find: (input) =>
      !isHosted(input) &&
      typeof input.body["model"] === "string" &&
      (retired.has(input.model.status) || input.model.provider === "unknown") &&
      faultAt("model", asText(input.body["model"])),
  }),
  "anthropic/max-tokens": cheap({
    summary: "`max_tokens` is required and within what the model can write.",
    repairSummary: "Set `max_tokens` to what the model can write.",
    find: ({ model, body }) => {
      const { max_tokens: cap } = body;
      if (cap === undefined) return faultAt("max_tokens", "Field required");
      if (typeof cap !== "number" || !Number.isInteger(cap))
        return faultAt("max_tokens", "Input should be a valid integer");
      if (cap < 0) return faultAt("max_tokens", "Input should be greater than or equal to 0");
      const words = `${cap} > ${model.outputCap}, which is the maximum allowed number of output tokens for ${asText(body["model"])}`;
      return cap > (model.outputCap ?? cap) && faultAt("max_tokens", words);
    },
    repair: ({ model, body }) => ({ ...body, max_tokens: model.outputCap ?? 4096 }),
  }),
  "anthropic/field-types": cheap({
    summary: "Numbers, lists and texts of a request are what the service expects.",
    fix: "Send a value of the type named.",
    find: ({ body }) =>
      fieldTypes.map(
        ([name, holds, kind]) =>
          body[name] != null &&
          !holds(body[name]) &&
          faultAt(name, `Input should be a valid ${kind}`),
      ),
  }),
  "anthropic/messages": cheap({
    summary: "`messages` is a list of messages with a role and content.",
    find: shapeFaults,
  }),
  "anthropic/empty-message": {
    summary: "Every message has content, except a final assistant message.",
    says: atPath(
      "all messages must have non-empty content except for the optional final assistant message",
    ),
    repairSummary: "Remove empty messages.",
    find: ({ body }) => emptyMessages(body).map(pathOf),
    repair: ({ body }) => {
      const empty = new Set(emptyMessages(body).map(pathOf));
      const kept = messagesOf(body).filter(({ path }) => !empty.has(path));
      return { ...body, messages: kept.map(({ raw }) => raw) };
    },
  },
  "anthropic/empty-text": {
    summary: "Text blocks are neither empty nor blank.",
    repairSummary: "Remove blank text blocks.",
    find: ({ body }) =>
      messagesOf(body).map((message) => {
        if (isEmpty(message)) return [];
        const refused = message.blocks.filter((block) => isRefusedText(block, message));
        return refused.map(({ path, block }) => {
          const words = block["text"] === "" ? "be non-empty" : "contain non-whitespace text";
          return fault(path, `messages: text content blocks must ${words}`);
        });
      }),
    repair: ({ body }) =>
      mapBlocks(body, (viewed, message) =>
        isRefusedText(viewed, message) ? undefined : viewed.block,
      ),
  },
  "anthropic/system-placement": {
    summary: "Newer models take system messages after a user message; older ones take none.",
    repairSummary: "Move system messages into the `system` field.",
    find: misplacedSystem,
    repair: (input) => {
      const bad = new Set(misplacedSystem(input).map(({ path }) => path));
      const { system, ...body } = input.body;
      const messages = messagesOf(input.body);
      const moved = messages.filter(({ path, role }) => bad.has(path) && role === "system");
      const before =
        typeof system === "string" ? [{ type: "text", text: system }] : asObjects(system);
      return {
        ...body,
        system: [...before, ...moved.flatMap(({ entries }) => entries)],
        messages: messages.filter((it) => !moved.includes(it)).map(({ raw }) => raw),
      };
    },
  },
  "anthropic/tools": cheap({
    summary:
      "Tools have unique, plain names and an object schema, whose properties have plain names of at most 64 characters.",
    find: toolFaults,
  }),
  "anthropic/stop-sequences": cheap({
    summary: "Stop sequences are not blank.",
    says: atPath("each stop sequence must contain non-whitespace"),
    repairSummary: "Remove blank stop sequences.",
    find: ({ body: { stop_sequences: stops } }) =>
      asList(stops).some(isBlankStop) && "stop_sequences",
    repair: ({ body }) => ({
      ...body,
      stop_sequences: asList(body["stop_sequences"]).filter((stop) => !isBlankStop(stop)),
    }),
  }),
  "anthropic/cache-breakpoints": {
    summary: "At most four blocks carry cache_control.",
    fix: "Remove cache_control from all but four blocks.",
    find: ({ body }) => {
      const marks = cacheMarks(body);
      const message = `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
      return marks > 4 && fault("cache_control", message);
    },
  },
  "anthropic/version-blocks": {
    summary:
      "API version 2026-10-21 takes no documents from the assistant and no citations from the user.",
    repairSummary: "Remove the documents and citations.",
    when: ({ headers }) => (headers["anthropic-version"] ?? "") >= versionWithoutSampling,
    find: ({ body }) =>
      messagesOf(body).map(({ role, blocks }) =>
        blocks.map(({ type, path, block }) => [
          role === "assistant" &&
            type === "document" &&
            faultAt(path, "`document` blocks are not permitted in `assistant` messages"),
          role === "user" &&
            type === "text" &&
            asObjects(block["citations"]).length > 0 &&
            faultAt(`${path}.text.citations`, "Extra inputs are not permitted"),
        ]),
      ),
    repair: ({ body }) =>
      mapBlocks(body, ({ type, block }, { role }) => {
        if (role === "assistant") return type === "document" ? undefined : block;
        return type === "text" ? without(block, "citations") : block;
      }),
  },
  "anthropic/long-unary": {
    severity: "warning",
    summary:
      "Without streaming, an answer above 21,333 tokens may take longer than a connection lasts.",
    says: "Without streaming, an answer of this length may not arrive within ten minutes.",
    // Not repaired: a caller that waits for one JSON object cannot read a stream.
    fix: "Set `stream` to true and read the answer as it arrives, or ask for fewer tokens.",
    find: ({ body }) => body["stream"] !== true && Number(body["max_tokens"]) > 21_333 && "stream",
  },
};
