import type { JsonObject } from "../../../types/json.ts";
import type { RuleInput, SealVerdict } from "../../../types/rule.ts";
import { asObject, asText, without } from "../../common/json-reading.ts";
import { pathOf, withIn, type RuleTable } from "../../common/rules/define-rule.ts";
import {
  faultAt,
  atPath,
  notPermitted,
  thinkingOf,
  thinkingType,
  isThinkingOn,
  hasBeta,
  bindingBeta,
  toAdaptive,
  messagesOf,
  blocksOf,
  isThought,
  turnsOf,
  mapBlocks,
  withoutThoughts,
  type ViewedBlock,
  type TurnOfBlocks,
} from "./view.ts";

const thoughtsOf = (body: JsonObject): readonly ViewedBlock[] => blocksOf(body).filter(isThought);

/** The body with the effort for the next answer at its top: it was in `output_config` of a message after the last answer. */
function effortAtTop(body: JsonObject): JsonObject {
  const messages = messagesOf(body);
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  const asked = messages
    .slice(answered + 1)
    .map(({ message }) => asObject(message["output_config"]));
  const effort = asked.findLast((config) => config["effort"] !== undefined)?.["effort"];
  return effort === undefined ? body : withIn(body, "output_config", { effort });
}

const hasResults = (turn: TurnOfBlocks | undefined): boolean =>
  turn?.role === "user" && turn.blocks.some(({ type }) => type === "tool_result");

const startsThinking = (turn: TurnOfBlocks | undefined): boolean => {
  const first = turn?.blocks[0];
  return first !== undefined && isThought(first);
};

/**
 * The last assistant turn of a running tool loop that begins with no thought, when the loop's
 * first turn does not either. Turns in between need none: not every step thinks.
 */
function unledTurn(body: JsonObject): TurnOfBlocks | undefined {
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

const plainTypes = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

/** A paused turn goes back as it is: that isn't a prefill. */
const continuesServerTool = (turn: TurnOfBlocks | undefined): boolean =>
  turn !== undefined && turn.blocks.some(({ type }) => !plainTypes.has(type));

const isPrefilled = (body: JsonObject): boolean => {
  const last = turnsOf(body).at(-1);
  return (
    last?.role === "assistant" &&
    !continuesServerTool(last) &&
    !last.blocks.some(({ type }) => type === "tool_use")
  );
};

/** Thinking blocks go together with the setting: the service refuses thoughts while thinking is off. */
function turnOff({ model, body }: RuleInput): JsonObject {
  if (model.thinking.kind !== "effort") return without(withoutThoughts(body), "thinking");
  return thinkingType(body) === "enabled" ? toAdaptive({ body }) : withoutThoughts(body);
}

/** Takes out all thoughts, and a budget with them if it would insist on the first one. */
function strip(input: RuleInput): JsonObject {
  const body = withoutThoughts(input.body);
  const insists = thinkingType(body) === "enabled" && unledTurn(body) !== undefined;
  return insists ? turnOff({ ...input, body }) : body;
}

const dropsUnbound = ({ body }: RuleInput): boolean =>
  asObject(thinkingOf(body)["block_binding"])["prefix_mismatch_behavior"] === "drop_block";

const verdictOf = (input: RuleInput, { block, path, type }: ViewedBlock): SealVerdict => {
  const seal = asText(block[sealField({ type })]);
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

const sealField = ({ type }: Pick<ViewedBlock, "type">): string =>
  type === "thinking" ? "signature" : "data";

const hasSeal = (viewed: ViewedBlock): boolean =>
  typeof viewed.block[sealField(viewed)] === "string";

/** Vendors that only imitate the wire have no row of seal rights, and check none. */
const sealed = (input: RuleInput, verdict: SealVerdict): readonly ViewedBlock[] =>
  input.model.seals === undefined
    ? []
    : thoughtsOf(input.body).filter(
        (block) => hasSeal(block) && verdictOf(input, block) === verdict,
      );

/** Either is enough: Claude Code sends only the second. */
const effortBetas = ["mid-conversation-output-config-2026-07-01", "per-turn-control-2026-07-01"];

const stripping = {
  repairSummary: "Leave out all thinking blocks. They stay in the history.",
  refusesSeals: true,
  repair: strip,
} as const;

/** Where an answer must have a thought, and if it may not. */
export const thoughtRules: RuleTable = {
  "anthropic/leading-thinking": {
    summary: "With a thinking budget, a running tool loop starts with a thinking block.",
    repairSummary: "Turn thinking off until this turn ends.",
    refusal: /Expected `?'?thinking'?`? or `?'?redacted_thinking'?`?, but found/,
    when: ({ body }) => thinkingType(body) === "enabled",
    find: ({ body }) => {
      const first = unledTurn(body)?.blocks[0];
      const words = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`;
      return first && faultAt(`${first.path}.type`, words);
    },
    repair: turnOff,
  },
  "anthropic/leading-thinking-lost": {
    severity: "warning",
    summary: "With adaptive thinking, a tool loop without a thought may have lost it on the way.",
    says: "The running tool loop has no thinking; if the model thought, it was lost.",
    fix: "Send the answer's thinking blocks back with its tool calls.",
    when: ({ body }) => thinkingType(body) === "adaptive",
    find: ({ body }) => {
      const path = unledTurn(body)?.last.path;
      return path !== messagesOf(body).at(-1)?.path && path;
    },
  },
  "anthropic/prefill": {
    summary: "Claude 4.6 and later do not continue an assistant message.",
    says: "This model does not support assistant message prefill. The conversation must end with a user message.",
    repairSummary: "Add a user message that says: Continue.",
    refusal: /does not support assistant message prefill/,
    when: ({ model }) => model.noPrefill === true,
    find: ({ body }) => isPrefilled(body) && messagesOf(body).at(-1)!.path,
    repair: ({ body }) => ({
      ...body,
      messages: [
        ...messagesOf(body).map(({ raw }) => raw),
        { role: "user", content: [{ type: "text", text: "Continue." }] },
      ],
    }),
  },
  "anthropic/trailing-thinking": {
    summary: "An assistant message does not end with a thinking block.",
    says: atPath("The final block in an assistant message cannot be `thinking`."),
    repairSummary: "Remove thinking at the end of the message.",
    refusal: /final block in an assistant message cannot be/,
    find: ({ body }) =>
      messagesOf(body)
        .filter(({ role, blocks }) => role === "assistant" && blocks.slice(-1).some(isThought))
        .map(pathOf),
    repair: (input, refused) =>
      refused
        ? strip(input)
        : mapBlocks(input.body, (viewed, { blocks }) => {
            const isLast = blocks.slice(blocks.indexOf(viewed)).every(isThought);
            return isLast ? undefined : viewed.block;
          }),
  },
  "anthropic/signature-required": {
    summary: "A thinking block keeps its text field and its signature, even if the text is empty.",
    says: atPath("Field required"),
    ...stripping,
    refusal: /thinking\.(?:signature|thinking): Field required/,
    find: ({ model, body }) =>
      thoughtsOf(body).map((viewed) => {
        const { block, path, type } = viewed;
        const isUnsealed = model.seals !== undefined && !hasSeal(viewed);
        return [
          isUnsealed && `${path}.${type}.${sealField(viewed)}`,
          type === "thinking" &&
            typeof block["thinking"] !== "string" &&
            `${path}.thinking.thinking`,
        ];
      }),
  },
  "anthropic/signature": {
    summary: "A signature is the one that the service made for this block.",
    ...stripping,
    refusal: /Invalid `?'?signature'?`? in `?'?thinking'?`? block(?!.*bound to a different)/,
    find: (input) =>
      sealed(input, "invalid").map((viewed) =>
        faultAt(viewed.path, `Invalid \`${sealField(viewed)}\` in \`${viewed.type}\` block`),
      ),
  },
  "anthropic/prefix-binding": {
    summary:
      "Newer models bind thinking to the system prompt, the tools and the messages before it.",
    ...stripping,
    refusal: /bound to a different conversation/,
    when: (input) => input.model.seals?.prefixBound !== undefined && !dropsUnbound(input),
    find: (input) => {
      const needsBeta = ` That setting requires the \`${bindingBeta}\` value in the \`anthropic-beta\` header.`;
      const words = `Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".${hasBeta(input, bindingBeta) ? "" : needsBeta}`;
      return sealed(input, "foreign-prefix").map(({ path }) => faultAt(path, words));
    },
  },
  "anthropic/latest-blocks-unmodified": {
    summary: "The thinking of the latest answer goes back unchanged. Only the service can tell.",
    ...stripping,
    refusal: /blocks in the latest assistant message cannot be modified/,
  },
  "anthropic/thinking-while-disabled": {
    summary:
      "While thinking is off, an answer to be continued has no thinking in it. Only the service can tell.",
    repairSummary: stripping.repairSummary,
    refusal: /When thinking is disabled, an `?'?assistant'?`? message/,
    repair: strip,
  },
  "anthropic/thinking-cache-control": {
    summary: "Thinking blocks take no cache_control.",
    says: notPermitted,
    repairSummary: "Remove `cache_control` from thinking blocks.",
    find: ({ body }) =>
      thoughtsOf(body).map(
        ({ block, path, type }) =>
          block["cache_control"] != null && `${path}.${type}.cache_control`,
      ),
    repair: ({ body }) =>
      mapBlocks(body, (viewed) =>
        isThought(viewed) && viewed.block["cache_control"] != null
          ? without(viewed.block, "cache_control")
          : viewed.block,
      ),
  },
  "anthropic/effort-update": {
    summary:
      "A change of effort inside the conversation needs its beta, a model that takes it, and thinking turned on.",
    says: notPermitted,
    repairSummary: "Set the effort at the top of the request instead.",
    refusal: /messages\.\d+\.output_config: Extra inputs are not permitted/,
    find: (input) => {
      const { body, model } = input;
      const isOff = !isThinkingOn(body) && thinkingType(body) !== "";
      const isTaken =
        model.effortUpdates === true && !isOff && effortBetas.some((beta) => hasBeta(input, beta));
      return messagesOf(body).map(
        ({ message, path }) =>
          !isTaken && message["output_config"] != null && `${path}.output_config`,
      );
    },
    repair: ({ body, model }) => ({
      ...body,
      ...(model.thinking.kind === "effort" && effortAtTop(body)),
      messages: messagesOf(body).flatMap(({ raw, message, entries }) => {
        if (message["output_config"] == null) return [raw];
        return entries.length === 0 ? [] : [without(message, "output_config")];
      }),
    }),
  },
};
