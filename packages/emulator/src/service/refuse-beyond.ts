import type { JsonObject, JsonValue, WireId } from "mull";

import {
  invalidRequest,
  listIn,
  objectIn,
  textIn,
  type Refusal,
  type ServiceExchange,
} from "./service.ts";

/** Something a service does that the emulator cannot. */
interface Limit {
  readonly field: string;
  readonly cannot: string;
  readonly isAsked: (body: JsonObject) => boolean;
}

const isGiven = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

const limit = (field: string, cannot: string): Limit => ({
  field,
  cannot,
  isAsked: (body) => isGiven(body[field]),
});

const isOnlyText = (modalities: JsonValue | undefined): boolean =>
  listIn(modalities).every((each) => textIn(each).toLowerCase() === "text");

const typesOfTools = ({ tools }: JsonObject): readonly string[] =>
  listIn(tools).map((tool) => textIn(objectIn(tool)["type"]));

const cannotRun = "doesn't run the service's own tools";

/** Tools that the program runs. All other tools run at the service. */
const ownTools = {
  anthropic: /^(?:custom|bash_\d+|memory_\d+|text_editor_\d+|(?:computer|browser)_\w+)?$/,
  openai: /^(?:function|custom|namespace|local_shell|shell|apply_patch|computer\w*)$/,
};

/** `any` if only the service's own tools can be called, or the name of one of them. */
const forcesServerTool = (body: JsonObject): boolean => {
  const { type, name } = objectIn(body["tool_choice"]);
  if (type !== "any" && type !== "tool") return false;
  const wanted = listIn(body["tools"])
    .map(objectIn)
    .filter((tool) => type === "any" || tool["name"] === name);
  return (
    wanted.length > 0 && wanted.every((tool) => !ownTools.anthropic.test(textIn(tool["type"])))
  );
};

const forcesHostedTool = (body: JsonObject): boolean => {
  const { tool_choice: choice } = body;
  const types = typesOfTools(body);
  if (choice === "required")
    return types.length > 0 && !types.some((it) => ownTools.openai.test(it));
  const type = textIn(objectIn(choice)["type"]);
  return type !== "" && type !== "allowed_tools" && !ownTools.openai.test(type);
};

/** What Claude takes for granted if the request names no number of tokens. */
const claudesThreshold = 150_000;

const moderation = limit("moderation", "doesn't moderate text");

const limits: Readonly<Record<WireId, readonly Limit[]>> = {
  "anthropic-messages": [
    limit("mcp_servers", "doesn't call MCP servers"),
    limit("container", "doesn't run containers"),
    limit("fallbacks", "doesn't let another model answer in place of one that refused"),
    limit("fallback_credit_token", "doesn't credit refused answers"),
    limit("compaction", "doesn't summarise conversations"),
    { field: "tool_choice", cannot: cannotRun, isAsked: forcesServerTool },
  ],
  "openai-responses": [
    limit("prompt", "doesn't store prompts"),
    limit("multi_agent", "doesn't run agents that work together"),
    moderation,
    { field: "tool_choice", cannot: cannotRun, isAsked: forcesHostedTool },
    {
      field: "tools",
      cannot: "doesn't call MCP servers",
      isAsked: (body) => typesOfTools(body).includes("mcp"),
    },
  ],
  "openai-chat": [
    {
      field: "modalities",
      cannot: "answers in text only",
      isAsked: ({ modalities }) => !isOnlyText(modalities),
    },
    limit("audio", "answers in text only"),
    limit("web_search_options", "doesn't search"),
    moderation,
    // `functions`, which came before `tools`, is answered in fields that the emulator does not write.
    limit("functions", "does not answer `functions`, only `tools`"),
    limit("function_call", "does not answer `functions`, only `tools`"),
  ],
  "google-generate": [
    {
      field: "generationConfig.responseModalities",
      cannot: "answers in text only",
      isAsked: ({ generationConfig: camel, generation_config: snake }) => {
        const config = objectIn(camel ?? snake);
        return !isOnlyText(config["responseModalities"] ?? config["response_modalities"]);
      },
    },
    {
      field: "tools",
      cannot: "doesn't call MCP servers",
      isAsked: ({ tools }) => listIn(tools).some((tool) => isGiven(objectIn(tool)["mcpServers"])),
    },
  ],
};

/** Refuses what the service can do and the emulator cannot. The text says that this is a limit of the emulator. */
export function refuseBeyond(wire: WireId, body: JsonObject): Refusal | undefined {
  const beyond = limits[wire].find(({ isAsked }) => isAsked(body));
  return beyond && limitReached(wire, beyond);
}

const limitReached = (
  wire: WireId,
  { field, cannot }: Pick<Limit, "field" | "cannot">,
): Refusal => {
  const message = `The mull emulator ${cannot}; the service itself may. Leave \`${field}\` out, or ask the service.`;
  const type = wire === "google-generate" ? "INVALID_ARGUMENT" : "invalid_request_error";
  return invalidRequest("emulator/limit", message, { type, param: field, code: "emulator_limit" });
};

/** As long as the conversation is short, there is nothing to shorten, and it is answered. */
export const refuseToCompact = (
  { wire, body }: Pick<ServiceExchange, "wire" | "body">,
  tokens: number,
): Refusal | undefined =>
  tokens < compactsFrom(body)
    ? undefined
    : limitReached(wire, { field: "context_management", cannot: "doesn't shorten conversations" });

/** The input tokens from which the service is asked to shorten the conversation. */
const compactsFrom = ({ context_management: given }: JsonObject): number =>
  Math.min(
    ...[...listIn(given), ...listIn(objectIn(given)["edits"])].map((edit) => {
      const { type, trigger, compact_threshold: threshold } = objectIn(edit);
      if (type === "compaction") return Number(threshold ?? Infinity);
      return textIn(type).startsWith("compact_")
        ? Number(objectIn(trigger)["value"] ?? claudesThreshold)
        : Infinity;
    }),
  );
