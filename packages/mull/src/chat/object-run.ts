import { MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { Message } from "../types/message.ts";
import type { Receipt } from "../types/plan.ts";
import type { ChatRequest, OutputWish } from "../types/request.ts";
import type { AnswerRun, ChatResult, ChatRun, SentRequest } from "./chat.ts";
import { outputSchema } from "./output-schema.ts";
import { readObject } from "./read-object.ts";

const defaultRetries = 2;
export const retriesOf = ({ retries = defaultRetries }: OutputWish): number => retries;

/** Whether an answer is one that should hold the object: not a call of tools, not a pause. */
const isAnswer = ({ finish, toolCalls }: ChatResult): boolean =>
  finish.reason !== "pause" && toolCalls.every(({ send }) => send === false);

/** The object of an answer; what to ask when it does not fit. Throws where asking again is no use. */
export async function judge(
  result: ChatResult,
  output: OutputWish,
  retriesLeft: number,
): Promise<{ readonly object: unknown } | { readonly ask: string }> {
  if (output.check === false) return { object: undefined };
  const read = await readObject(result.text, output);
  if ("value" in read) return { object: read.value };
  const { reason } = result.finish;
  const mayFit = reason === "stop" || reason === "error";
  if (!mayFit || retriesLeft <= 0) throw noObject(result, read.faults);
  return { ask: askAgain(read.faults, output) };
}

/** Faults that are told at once; a list of a thousand helps nobody. */
const mostFaults = 10;
const longestSchema = 8000;

function askAgain(faults: readonly string[], output: OutputWish): string {
  const schema = JSON.stringify(outputSchema(output));
  return [
    "Your answer does not fit the schema:",
    ...faults.slice(0, mostFaults).map((fault) => `- ${fault}`),
    "Answer again with the corrected JSON and nothing else.",
    ...(schema.length <= longestSchema ? [`The schema: ${schema}`] : []),
  ].join("\n");
}

/** The question that a program asks for the user: sent, not shown. */
export const again = (ask: string): Message => ({
  role: "user",
  parts: [{ type: "text", text: ask, show: false }],
});

function noObject(result: ChatResult, faults: readonly string[]): MullError {
  const { finish, refusal, text, message, usage } = result;
  const why =
    finish.reason === "length"
      ? "it was cut at the output limit"
      : refusal === undefined
        ? faults.slice(0, 3).join("; ")
        : "the model refused";
  const partial: Reply = { message, finish, usage };
  return new MullError(`The answer is not the object that was asked for: ${why}.`, {
    category: refusal === undefined ? "protocol" : "content_filter",
    code: "no_object",
    field: "output.schema",
    text: refusal ?? text,
    partial,
    ...(finish.reason === "length" && { fix: "give the answer more room with maxOutputTokens" }),
  });
}

/**
 * A request for an object. An answer that does not fit is asked for again: its events begin anew with
 * a `start`, and there is one `finish` at the end.
 */
export class ObjectRun implements AnswerRun {
  readonly #open: (request: ChatRequest) => ChatRun;
  readonly #output: OutputWish;
  readonly #rejected: Receipt[] = [];
  #request: ChatRequest;
  #run: ChatRun;
  #retriesLeft: number;
  #object: unknown;

  constructor(request: ChatRequest, output: OutputWish, open: (request: ChatRequest) => ChatRun) {
    this.#open = open;
    this.#output = output;
    this.#request = request;
    this.#run = open(request);
    this.#retriesLeft = retriesOf(output);
  }

  async pull(): Promise<StreamEvent[]> {
    const events = await this.#run.pull();
    if (events.at(-1)?.type !== "finish") return events;
    const result = this.#run.result();
    if (!isAnswer(result)) return events;
    const judged = await judge(result, this.#output, this.#retriesLeft--);
    if ("object" in judged) {
      this.#object = judged.object;
      return events;
    }
    this.#rejected.push(result.receipt);
    const messages = [...this.#request.messages, result.message, again(judged.ask)];
    this.#request = { ...this.#request, messages };
    this.#run = this.#open(this.#request);
    const rest = events.slice(0, -1);
    return rest.length > 0 ? rest : this.pull();
  }

  close(): Promise<void> {
    return this.#run.close();
  }

  idleMs(): number {
    return this.#run.idleMs();
  }

  abandon(unread: Parameters<ChatRun["abandon"]>[0]): MullError | undefined {
    return this.#run.abandon(unread);
  }

  partial(): Reply | undefined {
    return this.#run.partial();
  }

  receipt(): Receipt | undefined {
    return this.#run.receipt();
  }

  sent(): SentRequest | undefined {
    return this.#run.sent();
  }

  result(): ChatResult {
    return {
      ...this.#run.result(),
      ...(this.#object !== undefined && { object: this.#object }),
      ...(this.#rejected.length > 0 && { rejected: this.#rejected }),
    };
  }
}
