import type { World } from "../world/world.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Incoming } from "./answer-request.ts";
import { authenticate } from "./authenticate.ts";
import { responses } from "./responses.ts";

/** Reads or forgets a stored response, or lists what it was made from. */
export const readStored = (world: World, incoming: Incoming, match: RegExpExecArray): Response => {
  const headers = {
    "content-type": "application/json",
    ...answerHeaders(responses.wire, world.random, world.clock.now()),
  };
  const give = (status: number, body: unknown): Response =>
    new Response(JSON.stringify(body), { status, headers });
  const caller = authenticate(responses.wire, incoming.headers, incoming.url);
  if ("refusal" in caller) {
    return give(caller.refusal.status, responses.mirror.encodeError(caller.refusal));
  }
  const id = match[1] as string;
  const stored = world.responses.get(id);
  if (stored === undefined) {
    const message = `Response with id '${id}' not found.`;
    return give(
      404,
      responses.mirror.encodeError({ status: 404, type: "invalid_request_error", message }),
    );
  }
  if (incoming.method === "DELETE") {
    world.responses.delete(id);
    return give(200, { id, object: "response", deleted: true });
  }
  if (match[2] === undefined) return give(200, stored.answer);
  return give(200, { object: "list", data: stored.input.toReversed(), has_more: false });
};
