import type { ChatRequest, ChatTarget, JsonObject, Level, WireId } from "mull";
import {
  isJsonObject,
  levelOfEffort,
  levelOfGoogle,
  type Effort,
  type WireRequest,
} from "mull/wire";

/** What a client says about thinking, in our words. */
export type ClientDial = Pick<ChatRequest, "level" | "thinkingBudget" | "showThinking">;

/** What `on` without a word for how much means on a wire: Claude's own default is high. */
const plainOn: Readonly<Record<WireId, Level>> = {
  "anthropic-messages": "high",
  "openai-responses": "med",
  "openai-chat": "med",
  "google-generate": "auto",
};

/** Reads how much a client wants a model to think: effort, budget, thinkingLevel or reasoning_effort. */
export function readDial(request: WireRequest, wire: WireId, { model }: ChatTarget): ClientDial {
  const effort = effortUpdateIn(request) ?? effortBeside(request, wire);
  const shown = { showThinking: showIn(request, wire) };
  if (effort !== undefined) return { level: levelOfEffort[effort], ...shown };
  const { thinking } = request;
  switch (thinking.type) {
    case "off":
      return { level: "none", ...shown };
    case "effort":
      return { level: levelOfEffort[thinking.effort], ...shown };
    case "level":
      return { level: levelOfGoogle[thinking.level], ...shown };
    case "on":
      return { level: plainOn[wire], ...shown };
    case "budget": {
      const { kind } = model.thinking;
      if (kind === "none") return shown;
      return { thinkingBudget: fitBudget(thinking.tokens, model), ...shown };
    }
    case "default":
      return shown;
    default:
      return thinking satisfies never;
  }
}

/** A budget of another model may lie outside of what this one takes. */
function fitBudget(tokens: number, { thinking, outputCap }: ChatTarget["model"]): number {
  const range = thinking.kind === "budget" ? thinking : undefined;
  const own = thinking.kind === "effort" || thinking.kind === "switch" ? thinking.budget : range;
  if (own === undefined) return tokens;
  const most = Math.min(own.max, (outputCap ?? Infinity) - 1);
  return Math.min(Math.max(tokens, own.min), most);
}

const isEffort = (value: unknown): value is Effort =>
  typeof value === "string" && Object.hasOwn(levelOfEffort, value);

/** An effort beside fields that the mirror leaves as they are: Codex sends `reasoning.context` with it. */
function effortBeside({ extra }: WireRequest, wire: WireId): Effort | undefined {
  const place = wire === "anthropic-messages" ? extra?.["output_config"] : extra?.["reasoning"];
  const effort = isJsonObject(place) ? place["effort"] : undefined;
  return isEffort(effort) ? effort : undefined;
}

/** Claude Code changes the effort inside the conversation; the last change counts. */
function effortUpdateIn({ messages }: WireRequest): Effort | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "system") continue;
    for (const part of message.parts) {
      const effort = part.type === "opaque" ? part.data["effort"] : undefined;
      if (part.type === "opaque" && part.kind === "effort-update" && isEffort(effort))
        return effort;
    }
  }
  return undefined;
}

const styles: ReadonlySet<unknown> = new Set(["auto", "concise", "detailed"]);

function showIn({ show, extra }: WireRequest, wire: WireId): ChatRequest["showThinking"] {
  const reasoning = wire === "openai-responses" ? extra?.["reasoning"] : undefined;
  const summary = isJsonObject(reasoning) ? reasoning["summary"] : undefined;
  return styles.has(summary) ? (summary as "auto") : show;
}

/**
 * The places of the dial among the fields that a wire's mirror leaves as they are; `a.b` is one
 * level deep.
 */
const dialFields: Readonly<Record<WireId, readonly string[]>> = {
  "anthropic-messages": ["output_config.effort", "thinking"],
  "openai-responses": ["reasoning"],
  "openai-chat": [
    "chat_template_kwargs",
    "enable_thinking",
    "include_reasoning",
    "prompt_mode",
    "reasoning",
    "reasoning_effort",
    "reasoning_format",
    "thinking",
    "thinking_budget",
  ],
  "google-generate": ["generationConfig.thinkingConfig"],
};

/**
 * The rest of a request on the same wire: left in, the client's dial would win over the one that
 * was read, and its `stream: null` over our `true`.
 */
export function withoutDial(extra: JsonObject, wire: WireId): JsonObject {
  const fields = dialFields[wire];
  const kept = Object.entries(extra).flatMap(([name, value]): [string, typeof value][] => {
    if (fields.includes(name) || value === null) return [];
    if (!isJsonObject(value)) return [[name, value]];
    const inner = Object.entries(value).filter(([each]) => !fields.includes(`${name}.${each}`));
    return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)]];
  });
  return Object.fromEntries(kept);
}
