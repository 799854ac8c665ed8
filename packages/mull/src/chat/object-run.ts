import { MullError } from "../types/error.ts";
import type { Reply, StreamEvent } from "../types/event.ts";
import type { Message } from "../types/message.ts";
import type { Receipt } from "../types/plan.ts";
import type { ChatRequest, OutputWish } from "../types/request.ts";
import type { AnswerRun, ChatResult, ChatRun } from "./chat.ts";
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

/** Most faults that the model is told at once: a list of a thousand doesn't help it. */
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
export function objectRun(
  given: ChatRequest,
  output: OutputWish,
  open: (request: ChatRequest) => ChatRun,
): AnswerRun {
  const rejected: Receipt[] = [];
  let request = given;
  let run = open(request);
  let retriesLeft = retriesOf(output);
  let object: unknown;
  const pull = async (): Promise<StreamEvent[]> => {
    const events = await run.pull();
    if (events.at(-1)?.type !== "finish") return events;
    const result = run.result();
    if (!isAnswer(result)) return events;
    const judged = await judge(result, output, retriesLeft--);
    if ("object" in judged) {
      object = judged.object;
      return events;
    }
    rejected.push(result.receipt);
    request = { ...request, messages: [...request.messages, result.message, again(judged.ask)] };
    run = open(request);
    const rest = events.slice(0, -1);
    return rest.length > 0 ? rest : pull();
  };
  return {
    pull,
    close: () => run.close(),
    idleMs: () => run.idleMs(),
    abandon: (unread) => run.abandon(unread),
    partial: () => run.partial(),
    receipt: () => run.receipt(),
    sent: () => run.sent(),
    result: () => ({
      ...run.result(),
      ...(object !== undefined && { object }),
      ...(rejected.length > 0 && { rejected }),
    }),
  };
}
