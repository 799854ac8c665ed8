import type { JsonObject } from "mull";

import { keep } from "../world/world.ts";
import {
  listIn,
  objectIn,
  textIn,
  type ServiceExchange,
  type ReadExchange,
  type Refusal,
} from "./service.ts";

const refuse = (status: number, type: string, code: string, message: string): Refusal => ({
  rule: "anthropic/thread",
  error: { status, type, code, message },
});

/** What a thread keeps from the request that created it; the requests after it leave it out. */
const keptFields = ["system", "tools"] as const;

/** The body with the stored turns before it, if a request continues a thread. */
export const recallThread = ({ body, world, account }: ServiceExchange): JsonObject | Refusal => {
  const thread = objectIn(body["thread"]);
  if (thread["type"] !== "continue") return body;
  const id = textIn(thread["previous_message_id"]);
  const held = world.threads.get(`${account} ${id}`);
  if (held === undefined) {
    const message = `No usable Thread state was found for previous_message_id: ${id}`;
    return refuse(404, "not_found_error", "thread_not_found", message);
  }
  if (held.isContinued) {
    const message = `The response ${id} has already been continued.`;
    return refuse(400, "invalid_request_error", "thread_already_continued", message);
  }
  return { ...held.kept, ...body, messages: [...held.messages, ...listIn(body["messages"])] };
};

/** Holds the conversation under the id of its latest answer, if that was asked for. */
export const rememberThread = (
  { body, world, account }: ReadExchange,
  answer: JsonObject,
): void => {
  const thread = objectIn(body["thread"]);
  if (thread["type"] !== "create" && thread["type"] !== "continue") return;
  const before = `${account} ${textIn(thread["previous_message_id"])}`;
  const held = world.threads.get(before);
  if (held !== undefined) world.threads.set(before, { ...held, isContinued: true });
  const said = { role: "assistant", content: answer["content"] ?? [] };
  keep(world.threads, `${account} ${textIn(answer["id"])}`, {
    messages: [...listIn(body["messages"]), said],
    kept: Object.fromEntries(
      keptFields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
    ),
    isContinued: false,
  });
};
