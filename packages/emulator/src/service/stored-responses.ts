import type { World } from "../world/world.ts";
import { answerError } from "./answer-error.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Incoming } from "./answer-request.ts";
import { authenticate } from "./authenticate.ts";
import { responses } from "./responses.ts";

/** Reads or forgets a stored response, or lists what it was made from. */
export const readStored = (world: World, incoming: Incoming, match: RegExpExecArray): Response => {
  const headers = answerHeaders(responses.wire, world.random, world.clock.now());
  const give = (body: unknown): Response =>
    new Response(JSON.stringify(body), {
      headers: { "content-type": "application/json", ...headers },
    });
  const caller = authenticate(responses.wire, incoming.headers, incoming.url);
  if ("refusal" in caller) return answerError(responses, caller.refusal, headers);
  if (incoming.url.searchParams.get("stream") === "true") {
    const message = "The mull emulator gives stored responses whole; leave `stream` out.";
    return answerError(responses, { status: 400, type: "invalid_request_error", message }, headers);
  }
  const id = match[1] as string;
  const stored = world.responses.get(id);
  if (stored === undefined) {
    const message = `Response with id '${id}' not found.`;
    return answerError(responses, { status: 404, type: "invalid_request_error", message }, headers);
  }
  if (incoming.method === "DELETE") {
    world.responses.delete(id);
    return give({ id, object: "response", deleted: true });
  }
  if (match[2] === undefined) return give(stored.answer);
  return give({ object: "list", data: stored.input.toReversed(), has_more: false });
};
