import {
  isMullError,
  resolveModel,
  type AssistantMessage,
  type ChatRequest,
  type ChatTarget,
  type Message,
  type ToolSpec,
  type WireId,
} from "mull";
import { readExchange, type Exchange } from "mull/wire";

import { resolveRef } from "../session/resolve.ts";
import { homes } from "./read-reply.ts";
import { viewRequest, type RequestView } from "./request-view.ts";
import { readResults } from "./tool-results.ts";

/** An answer of one model, to be carried on by another. */
export interface HandOff {
  readonly wire: WireId;
  readonly reply: string;
  readonly stream?: boolean;
  readonly status?: number;
  readonly from: string;
  readonly to: string;
  readonly system?: string;
  readonly user?: string;
  readonly tools?: readonly ToolSpec[];
  /** Results of the answer's tool calls. */
  readonly results?: unknown;
  /** What is said next. */
  readonly followUp?: string;
}

/** The request that would go to the other model next, with its receipt. */
export function handOff(given: HandOff): RequestView {
  const message = readAnswer(given);
  const tools = given.tools ?? toolsCalledIn(message);
  const request: ChatRequest = {
    messages: messagesOf(given, message),
    ...(given.system !== undefined && { system: given.system }),
    ...(tools.length > 0 && { tools }),
  };
  return viewRequest(resolveRef(given.to), request);
}

/** A cut answer is carried on from what arrived; a refusal cannot be. */
function readAnswer(given: HandOff): AssistantMessage {
  const { provider, model } = speakerOf(given);
  const exchange: Exchange = {
    wire: given.wire,
    body: given.reply,
    model: model.id,
    provider: provider.id,
    ...(given.stream !== undefined && { stream: given.stream }),
    ...(given.status !== undefined && { status: given.status }),
    ...(provider.quirks !== undefined &&
      provider.wire.id === given.wire && { quirks: provider.quirks }),
  };
  try {
    return readExchange(exchange).message;
  } catch (error) {
    if (isMullError(error) && error.partial !== undefined) {
      return { ...error.partial.message, interrupted: true };
    }
    throw error;
  }
}

/** The model that answered. An unknown name counts as a model of the wire's default provider. */
function speakerOf({ from, wire }: HandOff): ChatTarget {
  try {
    return resolveModel(from);
  } catch {
    return resolveRef(`${homes[wire]}:${from}`);
  }
}

function messagesOf(given: HandOff, answer: AssistantMessage): readonly Message[] {
  const results =
    given.results === undefined ? undefined : readResults(given.results, answer.parts);
  const hasCalls = answer.parts.some((part) => part.type === "tool-call");
  const followUp = given.followUp ?? (hasCalls ? undefined : "Go on.");
  return [
    userMessage(given.user ?? "Hello."),
    answer,
    ...(results === undefined ? [] : [results]),
    ...(followUp === undefined ? [] : [userMessage(followUp)]),
  ];
}

const userMessage = (text: string): Message => ({
  role: "user",
  parts: [{ type: "text", text }],
});

/** Services want the tools of a history declared; without declarations, take the names from the calls. */
const toolsCalledIn = (message: AssistantMessage): readonly ToolSpec[] =>
  [...new Set(message.parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : [])))].map(
    (name) => ({ name, inputSchema: { type: "object", properties: {} } }),
  );
