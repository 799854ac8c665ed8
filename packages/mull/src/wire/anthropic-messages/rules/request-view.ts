import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Finding, Rule, RuleInput } from "../../../types/rule.ts";
import { mapObjectsIn } from "../../common/rule-view.ts";
import { asText } from "../client/parts.ts";

/** A violation: its place, and the service's words. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export interface RuleSpec extends Omit<Rule, "wire" | "severity" | "check"> {
  readonly severity?: "warning" | "advice";
  readonly find: (input: RuleInput) => readonly Fault[];
  readonly fix?: string;
  /** The service's status and error type; 400 `invalid_request_error` unless said. */
  readonly status?: number;
  readonly type?: string;
}

export function defineRule(spec: RuleSpec): Rule {
  const { find, fix, status = 400, type = "invalid_request_error", ...rule } = spec;
  const severity = spec.severity ?? "error";
  const words = fix ?? spec.repairSummary;
  const toFinding = ({ path, message }: Fault): Finding => ({
    rule: spec.id,
    severity,
    path,
    message,
    ...(words !== undefined && { fix: words }),
    ...(severity === "error" && { answer: { status, type, message } }),
  });
  return {
    ...rule,
    wire: "anthropic-messages",
    severity,
    check: (input) => find(input).map(toFinding),
  };
}

/** A list with one fault where the condition holds, else an empty one. */
export const faultIf = (holds: boolean, path: string, message: string): readonly Fault[] =>
  holds ? [{ path, message }] : [];

export const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

export const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export const thinkingOf = (body: JsonObject): JsonObject => object(body["thinking"]);

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

/** A block and its place. The path is built only when it is read. */
export class ViewedBlock {
  readonly type: string;
  readonly block: JsonObject;
  readonly #at: number;
  readonly #index: number;

  constructor(block: JsonObject, at: number, index: number) {
    this.type = asText(block["type"]);
    this.block = block;
    this.#at = at;
    this.#index = index;
  }

  get path(): string {
    return `messages.${this.#at}.content.${this.#index}`;
  }
}

export class ViewedMessage {
  readonly role: string;
  /** As it stands in the body, which may be no message at all. */
  readonly raw: JsonValue;
  readonly message: JsonObject;
  readonly blocks: readonly ViewedBlock[];
  readonly #at: number;

  constructor(raw: JsonValue, at: number) {
    const message = object(raw);
    const { content } = message;
    const blocks =
      typeof content === "string" ? [{ type: "text", text: content }] : objects(content);
    this.role = asText(message["role"]);
    this.raw = raw;
    this.message = message;
    this.blocks = blocks.map((block, index) => new ViewedBlock(block, at, index));
    this.#at = at;
  }

  get path(): string {
    return `messages.${this.#at}`;
  }

  /** What is said in it, block by block; entries that are no blocks too. */
  get entries(): readonly JsonValue[] {
    const { content } = this.message;
    if (Array.isArray(content)) return content;
    return this.blocks.map(({ block }) => block);
  }
}

export const messagesOf = (body: JsonObject): readonly ViewedMessage[] => {
  const { messages } = body;
  return Array.isArray(messages)
    ? messages.map((message: JsonValue, at) => new ViewedMessage(message, at))
    : [];
};

export const blocksOf = (body: JsonObject): readonly ViewedBlock[] =>
  messagesOf(body).flatMap(({ blocks }) => blocks);

export const isThought = ({ type }: Pick<ViewedBlock, "type">): boolean =>
  type === "thinking" || type === "redacted_thinking";

/** Neighbouring messages of one role, which the service reads as one. */
export interface Turn {
  readonly role: string;
  readonly messages: readonly ViewedMessage[];
  readonly last: ViewedMessage;
  readonly blocks: readonly ViewedBlock[];
}

export function turnsOf(body: JsonObject): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messagesOf(body)) {
    const turn = turns.at(-1);
    const { role, blocks } = message;
    if (turn?.role === role)
      turns[turns.length - 1] = {
        role,
        messages: [...turn.messages, message],
        last: message,
        blocks: [...turn.blocks, ...blocks],
      };
    else turns.push({ role, messages: [message], last: message, blocks });
  }
  return turns;
}

export const without = (body: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

type BlockChange = (
  block: ViewedBlock,
  message: ViewedMessage,
) => JsonObject | readonly JsonObject[] | undefined;

/** Replaces, splits or drops blocks; messages left empty are dropped too. */
export const mapBlocks = (body: JsonObject, change: BlockChange): JsonObject => ({
  ...body,
  messages: messagesOf(body).flatMap((viewed) => changedMessage(viewed, change)),
});

function changedMessage(viewed: ViewedMessage, change: BlockChange): readonly JsonValue[] {
  const { entries, blocks, raw } = viewed;
  const content = mapObjectsIn(entries, (_, at) => change(blocks[at]!, viewed));
  const isSame =
    content.length === entries.length && content.every((entry, i) => entry === entries[i]);
  if (isSame) return [raw];
  return content.length === 0 ? [] : [{ ...viewed.message, content }];
}

/** The messages without any thinking. Removing only some would break the seals after them. */
export const withoutThoughts = (body: JsonObject): JsonObject =>
  mapBlocks(body, (viewed) => (isThought(viewed) ? undefined : viewed.block));
