import { chat, type ChatRequest, type ChatTarget, type JsonObject, type Message } from "mull";
import { encodeSse, isJsonObject, mirrors } from "mull/wire";

import { carryIn } from "./carry-in.ts";
import { answerHead, newAnswerId, type ClientCall, type GatewayParts } from "./client-call.ts";
import { jsonAnswer, type ClientAnswer } from "./client-exchange.ts";
import type { ServiceConnection } from "./connections.ts";
import { toRequest } from "./to-request.ts";
import { nativeOrigin, readRequest, sendingOptions } from "./translate.ts";

const asItems = ({ input }: JsonObject): readonly JsonObject[] =>
  Array.isArray(input) ? input.filter(isJsonObject) : [];

/** Whether a request asks for the conversation to be shortened: by its path, or by its last item. */
export const isCompaction = ({ route, body }: Pick<ClientCall, "route" | "body">): boolean =>
  route.action === "compact" || asItems(body).at(-1)?.["type"] === "compaction_trigger";

const instruction: Message = {
  role: "user",
  parts: [
    {
      type: "text",
      text: [
        "Write a summary of this conversation for the person who takes over the work.",
        "Keep what was asked, what was decided and why, what was done, names of files and commands, open problems and the next step.",
        "Write only the summary.",
      ].join(" "),
    },
  ],
};

/** Asks the model for a summary of the conversation. */
function summaryRequest(request: ChatRequest): ChatRequest {
  const { tools: _, toolChoice: __, parallelToolCalls: ___, output: ____, ...rest } = request;
  const messages = request.messages.filter(
    ({ parts }) =>
      !parts.some((part) => part.type === "opaque" && part.kind === "compaction_trigger"),
  );
  return { ...rest, messages: [...messages, instruction] };
}

/**
 * Shortens a conversation with the model that answers. The summary goes back as the one item that a
 * client of OpenAI expects, and comes back as words of the user.
 */
export async function compact(
  call: ClientCall,
  target: ChatTarget,
  upstream: ServiceConnection,
  parts: GatewayParts,
): Promise<ClientAnswer> {
  const { wire, receipt } = call;
  const asked = readRequest(call);
  const carried = carryIn(asked.messages, nativeOrigin(call, target, upstream), parts.codec);
  const { request } = toRequest(asked, wire, target, carried.messages);
  const options = sendingOptions(upstream, parts, call.signal);
  const result = await chat(target, summaryRequest(request), options);
  receipt.take(result.receipt);
  const id = newAnswerId(wire);
  const item: JsonObject = {
    id: `cmp_${id.slice(5)}`,
    type: "compaction",
    encrypted_content: parts.codec.seal({
      summary: `Summary of the conversation so far:\n\n${result.text}`,
    }),
  };
  const created = Math.floor(parts.now() / 1000);
  const reply = {
    message: {
      role: "assistant" as const,
      parts: [{ type: "opaque" as const, wire, kind: "compaction", data: item }],
    },
    finish: { reason: "stop" as const },
    usage: result.usage,
  };
  const context = {
    model: call.asked,
    id,
    created,
    pieces: (text: string) => [text],
    request: asked,
  };
  const headers = answerHead(call);
  receipt.begin();
  receipt.end();
  if (call.stream) {
    const frames = mirrors[wire].encodeStream(reply, context).map(encodeSse).join("");
    return {
      status: 200,
      headers: { ...headers, "content-type": "text/event-stream" },
      body: frames,
    };
  }
  const written = mirrors[wire].encodeReply(reply, context);
  const body =
    call.route.action === "compact"
      ? {
          id,
          object: "response.compaction",
          created_at: created,
          output: [...asItems(call.body).filter(({ role }) => role === "user"), item],
          usage: written["usage"],
        }
      : written;
  return jsonAnswer(body, headers);
}
