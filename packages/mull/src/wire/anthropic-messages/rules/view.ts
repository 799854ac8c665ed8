import type { JsonObject, JsonValue } from "../../../types/json.ts";
import type { RuleInput } from "../../../types/rule.ts";
import { asObject, asObjects, asText } from "../../common/json-reading.ts";
import { fault, mapObjectsIn, withIn, type RuleFault } from "../../common/rules/define-rule.ts";

/** Most messages of the service begin with the path. */
export const faultAt = (path: string, words: string): RuleFault => fault(path, `${path}: ${words}`);

/** The same, of one rule. */
export const atPath =
  (words: string) =>
  (path: string): string =>
    `${path}: ${words}`;

export const notPermitted: (path: string) => string = atPath("Extra inputs are not permitted");

export const thinkingOf = (body: JsonObject): JsonObject => asObject(body["thinking"]);

export const thinkingType = (body: JsonObject): string => asText(thinkingOf(body)["type"]);

export const isThinkingOn = (body: JsonObject): boolean =>
  ["enabled", "adaptive"].includes(thinkingType(body));

export const betasOf = ({ headers, body }: RuleInput): readonly string[] => {
  const inBody = body["anthropic_beta"];
  return [
    ...asText(headers["anthropic-beta"]).split(","),
    ...(Array.isArray(inBody) ? inBody.map(asText) : []),
  ].map((beta) => beta.trim());
};

export const hasBeta = (input: RuleInput, beta: string): boolean => betasOf(input).includes(beta);

export const bindingBeta = "thinking-binding-controls-2026-08-01";

/** Adaptive thinking in the place of a budget. */
export const toAdaptive = ({ body }: Pick<RuleInput, "body">): JsonObject =>
  withIn(body, "thinking", { budget_tokens: undefined, type: "adaptive" });

/** A block and where it stands. */
export interface ViewedBlock {
  readonly type: string;
  readonly block: JsonObject;
  readonly path: string;
}

export interface ViewedMessage {
  readonly path: string;
  readonly role: string;
  /** The entry of the body as it is; it may be no message. */
  readonly raw: JsonValue;
  readonly message: JsonObject;
  readonly blocks: readonly ViewedBlock[];
  /** All entries of the content, including those that aren't blocks. */
  readonly entries: readonly JsonValue[];
}

function viewMessage(raw: JsonValue, at: number): ViewedMessage {
  const message = asObject(raw);
  const { content, role } = message;
  const said = typeof content === "string" ? [{ type: "text", text: content }] : asObjects(content);
  return {
    path: `messages.${at}`,
    role: asText(role),
    raw,
    message,
    blocks: said.map((block, index) => ({
      type: asText(block["type"]),
      block,
      path: `messages.${at}.content.${index}`,
    })),
    entries: Array.isArray(content) ? content : said,
  };
}

export const messagesOf = ({ messages }: JsonObject): readonly ViewedMessage[] =>
  Array.isArray(messages) ? messages.map(viewMessage) : [];

export const blocksOf = (body: JsonObject): readonly ViewedBlock[] =>
  messagesOf(body).flatMap(({ blocks }) => blocks);

export const isThought = ({ type }: Pick<ViewedBlock, "type">): boolean =>
  type === "thinking" || type === "redacted_thinking";

/** Neighbours of one role are one message to the service. */
export interface TurnOfBlocks {
  readonly role: string;
  readonly messages: readonly ViewedMessage[];
  readonly last: ViewedMessage;
  readonly blocks: readonly ViewedBlock[];
}

export function turnsOf(body: JsonObject): readonly TurnOfBlocks[] {
  const turns: TurnOfBlocks[] = [];
  for (const last of messagesOf(body)) {
    const { role } = last;
    const before = turns.at(-1)?.role === role ? turns.pop() : undefined;
    const messages = [...(before?.messages ?? []), last];
    turns.push({ role, messages, last, blocks: [...(before?.blocks ?? []), ...last.blocks] });
  }
  return turns;
}

type BlockChange = (
  block: ViewedBlock,
  message: ViewedMessage,
) => JsonObject | readonly JsonObject[] | undefined;

/** Replaces or splits blocks, or drops those given back as `undefined`; messages left empty go too. */
export const mapBlocks = (body: JsonObject, change: BlockChange): JsonObject => ({
  ...body,
  messages: messagesOf(body).flatMap((viewed): readonly JsonValue[] => {
    const { entries, blocks, raw, message } = viewed;
    const content = mapObjectsIn(entries, (_, at) => change(blocks[at]!, viewed));
    if (content.length === entries.length && content.every((entry, i) => entry === entries[i]))
      return [raw];
    return content.length === 0 ? [] : [{ ...message, content }];
  }),
});

/** Removing only some would break the seals of the later ones. */
export const withoutThoughts = (body: JsonObject): JsonObject =>
  mapBlocks(body, (viewed) => (isThought(viewed) ? undefined : viewed.block));
