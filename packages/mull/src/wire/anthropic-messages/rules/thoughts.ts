import type { JsonObject } from "../../../types/json.ts";
import type { Rule, RuleInput, SealVerdict } from "../../../types/rule.ts";
import { asText } from "../client/parts.ts";
import {
  defineRule,
  faultIf,
  hasBeta,
  isThinkingOn,
  isThought,
  mapBlocks,
  messagesOf,
  object,
  thinkingOf,
  thinkingType,
  turnsOf,
  without,
  withoutThoughts,
  type Fault,
  type Turn,
  type ViewedBlock,
} from "./request-view.ts";

const thoughtsOf = (body: JsonObject): readonly ViewedBlock[] =>
  messagesOf(body).flatMap(({ blocks }) => blocks.filter(isThought));

const hasResults = (turn: Turn | undefined): boolean =>
  turn?.role === "user" && turn.blocks.some(({ type }) => type === "tool_result");

const startsThinking = (turn: Turn | undefined): boolean => {
  const first = turn?.blocks[0];
  return first !== undefined && isThought(first);
};

/**
 * The last assistant turn of a running tool loop that begins with no thought, when the loop's
 * first turn does not either. Turns in between need none: not every step thinks.
 */
function unledTurn(body: JsonObject): Turn | undefined {
  const turns = turnsOf(body);
  const last = turns.findLastIndex(({ role }) => role === "assistant");
  const isRunning = last === turns.length - 1 || hasResults(turns[last + 1]);
  if (last < 0 || !isRunning || continuesServerTool(turns[last])) return undefined;
  let first = last;
  while (first >= 2 && hasResults(turns[first - 1]) && turns[first - 2]?.role === "assistant") {
    first -= 2;
  }
  return startsThinking(turns[last]) || startsThinking(turns[first]) ? undefined : turns[last];
}

function unledFault(body: JsonObject): readonly Fault[] {
  const turn = unledTurn(body);
  const first = turn?.blocks[0];
  if (first === undefined) return [];
  const path = `${first.path}.type`;
  return [
    {
      path,
      message: `${path}: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
    },
  ];
}

const plainTypes = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

/** A paused turn goes back as it is: that is no prefill. */
const continuesServerTool = (turn: Turn | undefined): boolean =>
  turn !== undefined && turn.blocks.some(({ type }) => !plainTypes.has(type));

const isPrefilled = (body: JsonObject): boolean => {
  const last = turnsOf(body).at(-1);
  return (
    last?.role === "assistant" &&
    !continuesServerTool(last) &&
    !last.blocks.some(({ type }) => type === "tool_use")
  );
};

/** Thinking goes together with its blocks, or the next rule refuses what is left. */
function turnOff({ model, body }: RuleInput): JsonObject {
  const form = without(thinkingOf(body), "budget_tokens");
  return model.thinking.kind === "effort"
    ? { ...body, thinking: { ...form, type: "adaptive" } }
    : without(withoutThoughts(body), "thinking");
}

const bindingBeta = "thinking-binding-controls-2026-08-01";

const dropsUnbound = ({ body }: RuleInput): boolean =>
  object(thinkingOf(body)["block_binding"])["prefix_mismatch_behavior"] === "drop_block";

const verdictOf = (input: RuleInput, { block, path, type }: ViewedBlock): SealVerdict => {
  const seal = asText(block[type === "thinking" ? "signature" : "data"]);
  if (seal === "") return "invalid";
  if (input.verifySeal !== undefined) return input.verifySeal(seal, path, type);
  return type === "redacted_thinking" || looksLikeClaudes(seal) ? "ok" : "invalid";
};

/**
 * Claude's signatures are plain base64. OpenAI's blobs begin with `gAAAA`, and Gemini's
 * `skip_thought_signature_validator` holds a `_`. What a recorder wrote in a signature's place,
 * `signature_REDACTED_1`, says nothing about the request.
 */
const looksLikeClaudes = (seal: string): boolean =>
  (/^[A-Za-z\d+/]+={0,2}$/.test(seal) && !seal.startsWith("gAAAA")) || seal.includes("REDACTED");

const hasSeal = ({ block, type }: ViewedBlock): boolean =>
  typeof block[type === "thinking" ? "signature" : "data"] === "string";

/** Vendors that only imitate the wire have no row of seal rights, and check none. */
const sealed = (input: RuleInput, verdict: SealVerdict): readonly ViewedBlock[] =>
  input.model.seals === undefined
    ? []
    : thoughtsOf(input.body).filter(
        (block) => hasSeal(block) && verdictOf(input, block) === verdict,
      );

/** Without a seal or the text field a thought cannot go back. */
const incomplete = ({ model, body }: RuleInput): readonly Fault[] =>
  thoughtsOf(body).flatMap((viewed) => {
    const { block, path, type } = viewed;
    const field = type === "thinking" ? "signature" : "data";
    const where = `${path}.${type}`;
    return [
      faultIf(
        model.seals !== undefined && !hasSeal(viewed),
        `${where}.${field}`,
        `${where}.${field}: Field required`,
      ),
      faultIf(
        type === "thinking" && typeof block["thinking"] !== "string",
        `${where}.thinking`,
        `${where}.thinking: Field required`,
      ),
    ].flat();
  });

/** Claude Code sends the second alone, and is served. */
const effortBetas = ["mid-conversation-output-config-2026-07-01", "per-turn-control-2026-07-01"];

export const thoughtRules = (): readonly Rule[] => [
  defineRule({
    id: "anthropic/leading-thinking",
    summary: "With a thinking budget, a running tool loop begins with a thinking block.",
    repairSummary: "asks without a budget for the rest of the turn",
    find: ({ body }) => (thinkingType(body) === "enabled" ? unledFault(body) : []),
    repair: turnOff,
  }),
  defineRule({
    id: "anthropic/leading-thinking-lost",
    severity: "warning",
    summary: "In adaptive mode a tool loop without thinking may have lost it on the way.",
    fix: "Send the answer's thinking blocks back with its tool calls.",
    find: ({ body }) => {
      const turn = thinkingType(body) === "adaptive" ? unledTurn(body) : undefined;
      return turn && turn.last.path !== messagesOf(body).at(-1)?.path
        ? [
            {
              path: turn.last.path,
              message: "The running tool loop has no thinking; if the model thought, it was lost.",
            },
          ]
        : [];
    },
  }),
  defineRule({
    id: "anthropic/prefill",
    summary: "Claude 4.6 and later do not continue an assistant message.",
    repairSummary: "adds a user message that says: Continue.",
    find: ({ model, body }) =>
      faultIf(
        model.noPrefill === true && isPrefilled(body),
        messagesOf(body).at(-1)?.path ?? "messages",
        "This model does not support assistant message prefill. The conversation must end with a user message.",
      ),
    repair: ({ body }) => ({
      ...body,
      messages: [
        ...messagesOf(body).map(({ raw }) => raw),
        { role: "user", content: [{ type: "text", text: "Continue." }] },
      ],
    }),
  }),
  defineRule({
    id: "anthropic/trailing-thinking",
    summary: "An assistant message does not end with a thinking block.",
    repairSummary: "removes thinking that nothing follows",
    find: ({ body }) =>
      messagesOf(body)
        .filter(({ role, blocks }) => role === "assistant" && blocks.slice(-1).some(isThought))
        .map(({ path }) => ({
          path,
          message: `${path}: The final block in an assistant message cannot be \`thinking\`.`,
        })),
    repair: ({ body }) =>
      mapBlocks(body, (viewed, { blocks }) => {
        const isLast = blocks.slice(blocks.indexOf(viewed)).every(isThought);
        return isLast ? undefined : viewed.block;
      }),
  }),
  defineRule({
    id: "anthropic/signature-required",
    summary:
      "A thinking block keeps its text field and its signature, also when the text is empty.",
    repairSummary: "removes all thinking blocks",
    find: incomplete,
    repair: ({ body }) => withoutThoughts(body),
  }),
  defineRule({
    id: "anthropic/signature",
    summary: "A signature is the one the service made for this block.",
    repairSummary: "removes all thinking blocks",
    find: (input) =>
      sealed(input, "invalid").map(({ path, type }) => ({
        path,
        message: `${path}: Invalid \`${type === "thinking" ? "signature" : "data"}\` in \`${type}\` block`,
      })),
    repair: ({ body }) => withoutThoughts(body),
  }),
  defineRule({
    id: "anthropic/prefix-binding",
    summary:
      "Newer models bind thinking to the system prompt, the tools and the messages before it.",
    repairSummary: "removes all thinking blocks",
    find: (input) =>
      input.model.seals?.prefixBound === undefined || dropsUnbound(input)
        ? []
        : sealed(input, "foreign-prefix").map(({ path }) => ({
            path,
            message: `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".${
              hasBeta(input, bindingBeta)
                ? ""
                : ` That setting requires the \`${bindingBeta}\` value in the \`anthropic-beta\` header.`
            }`,
          })),
    repair: ({ body }) => withoutThoughts(body),
  }),
  defineRule({
    id: "anthropic/thinking-cache-control",
    summary: "Thinking blocks take no cache_control.",
    repairSummary: "removes cache_control from thinking blocks",
    find: ({ body }) =>
      thoughtsOf(body).flatMap(({ block, path, type }) =>
        faultIf(
          block["cache_control"] != null,
          `${path}.${type}.cache_control`,
          `${path}.${type}.cache_control: Extra inputs are not permitted`,
        ),
      ),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) =>
        isThought(viewed) && viewed.block["cache_control"] != null
          ? without(viewed.block, "cache_control")
          : viewed.block,
      ),
  }),
  defineRule({
    id: "anthropic/effort-update",
    summary:
      "Effort changes inside the conversation need their beta, a model that takes them, and thinking on.",
    repairSummary: "removes the change of effort",
    find: (input) => {
      const { body, model } = input;
      const isOff = !isThinkingOn(body) && thinkingType(body) !== "";
      const isTaken =
        model.effortUpdates === true && !isOff && effortBetas.some((beta) => hasBeta(input, beta));
      return isTaken
        ? []
        : messagesOf(body)
            .filter(({ message }) => message["output_config"] != null)
            .map(({ path }) => ({
              path: `${path}.output_config`,
              message: `${path}.output_config: Extra inputs are not permitted`,
            }));
    },
    repair: ({ body }) => ({
      ...body,
      messages: messagesOf(body).flatMap(({ raw, message, entries }) => {
        if (message["output_config"] == null) return [raw];
        return entries.length === 0 ? [] : [without(message, "output_config")];
      }),
    }),
  }),
];
