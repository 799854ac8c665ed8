import { isJsonObject, type JsonObject, type JsonValue } from "../../../types/json.ts";
import type { Finding, Rule, RuleInput } from "../../../types/rule.ts";
import { asText } from "../parts.ts";

/** What is wrong, where, in the service's words. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export interface RuleSpec extends Omit<Rule, "wire" | "severity" | "check"> {
  readonly severity?: "warning";
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

/** One fault when the condition holds. */
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

/** A block and where it stands. Paths are made when somebody reads them: most are never read. */
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
  readonly message: JsonObject;
  readonly blocks: readonly ViewedBlock[];
  readonly #at: number;

  constructor(message: JsonObject, at: number) {
    const { content } = message;
    const blocks =
      typeof content === "string" ? [{ type: "text", text: content }] : objects(content);
    this.role = asText(message["role"]);
    this.message = message;
    this.blocks = blocks.map((block, index) => new ViewedBlock(block, at, index));
    this.#at = at;
  }

  get path(): string {
    return `messages.${this.#at}`;
  }
}

export const messagesOf = (body: JsonObject): readonly ViewedMessage[] => {
  const { messages } = body;
  return Array.isArray(messages)
    ? messages.map((message: JsonValue, at) => new ViewedMessage(object(message), at))
    : [];
};

export const blocksOf = (body: JsonObject): readonly ViewedBlock[] =>
  messagesOf(body).flatMap(({ blocks }) => blocks);

export const isThought = ({ type }: Pick<ViewedBlock, "type">): boolean =>
  type === "thinking" || type === "redacted_thinking";

/** Neighbours of one role are one message to the service. */
export interface Turn {
  readonly role: string;
  readonly last: ViewedMessage;
  readonly blocks: readonly ViewedBlock[];
}

export function turnsOf(body: JsonObject): readonly Turn[] {
  const turns: { role: string; last: ViewedMessage; blocks: readonly ViewedBlock[] }[] = [];
  for (const message of messagesOf(body)) {
    const turn = turns.at(-1);
    if (turn?.role === message.role) {
      turn.blocks = [...turn.blocks, ...message.blocks];
      turn.last = message;
    } else turns.push({ role: message.role, last: message, blocks: message.blocks });
  }
  return turns;
}

export const without = (body: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Replaces blocks, or drops those given back as `undefined`; messages left empty go too. */
export function mapBlocks(
  body: JsonObject,
  change: (block: ViewedBlock, message: ViewedMessage) => JsonObject | undefined,
): JsonObject {
  const messages = messagesOf(body).flatMap((viewed): readonly JsonObject[] => {
    const content = viewed.blocks
      .map((block) => change(block, viewed))
      .filter((block) => block !== undefined);
    const isSame =
      content.length === viewed.blocks.length &&
      content.every((block, i) => block === viewed.blocks[i]?.block);
    if (isSame) return [viewed.message];
    return content.length === 0 ? [] : [{ ...viewed.message, content }];
  });
  return { ...body, messages };
}

/** Removing only some would break the seals of those behind them. */
export const withoutThoughts = (body: JsonObject): JsonObject =>
  mapBlocks(body, (viewed) => (isThought(viewed) ? undefined : viewed.block));
