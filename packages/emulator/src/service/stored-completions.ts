import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue } from "mull";

import type { World } from "../world/world.ts";
import { answerError } from "./answer-error.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Incoming } from "./answer-request.ts";
import { authenticate } from "./authenticate.ts";
import { chat } from "./chat.ts";
import { objectIn } from "./service.ts";

/** A page of a list, as OpenAI gives it. */
function pageOf(all: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const ordered = query.get("order") === "desc" ? all.toReversed() : all;
  const after = ordered.findIndex(({ id }) => id === query.get("after"));
  const from = ordered.slice(after + 1);
  const data = from.slice(0, Number(query.get("limit") ?? 20));
  const [first_id, last_id] = [data[0]?.["id"] ?? null, data.at(-1)?.["id"] ?? null];
  return { object: "list", data, first_id, last_id, has_more: data.length < from.length };
}

/** `metadata[topic]=weather` and `model=gpt-5.1` pick from the list. */
const isWanted = ({ model, metadata }: JsonObject, query: URLSearchParams): boolean =>
  [...query].every(([name, value]) => {
    if (name === "model") return model === value;
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
    return key === undefined || objectIn(metadata)[key] === value;
  });

const messageOf = (message: JsonValue, at: number, id: string): JsonObject => {
  const { content = null, ...said } = objectIn(message);
  const parts = Array.isArray(content) ? { content: null, content_parts: content } : { content };
  return { ...said, ...parts, id: `${id}-${at}` };
};

const changesOf = (text: string): JsonObject | undefined => {
  try {
    const { metadata } = objectIn(JSON.parse(text) as JsonValue);
    return isJsonObject(metadata) ? { metadata } : undefined;
  } catch {
    return undefined;
  }
};

/** Lists stored completions, and reads, changes or deletes one. */
export function readCompletions(
  world: World,
  incoming: Incoming,
  [, id, isMessages]: RegExpExecArray,
): Response {
  const headers = answerHeaders(chat.wire, world.random, world.clock.now());
  const give = (body: JsonObject): Response => Response.json(body, { headers });
  const refuse = (status: number, message: string): Response =>
    answerError(chat, { status, type: "invalid_request_error", message }, headers);
  const caller = authenticate(chat.wire, incoming.headers, incoming.url);
  if ("refusal" in caller) return answerError(chat, caller.refusal, headers);
  const { searchParams } = incoming.url;
  if (id === undefined) {
    const all = [...world.completions.values()].map(({ answer }) => answer);
    return give(
      pageOf(
        all.filter((each) => isWanted(each, searchParams)),
        searchParams,
      ),
    );
  }
  const stored = world.completions.get(id);
  if (stored === undefined) return refuse(404, `Completion with id '${id}' not found.`);
  if (isMessages !== undefined)
    return give(
      pageOf(
        stored.input.map((each, at) => messageOf(each, at, id)),
        searchParams,
      ),
    );
  if (incoming.method === "DELETE") {
    world.completions.delete(id);
    return give({ object: "chat.completion.deleted", id, deleted: true });
  }
  if (incoming.method === "GET") return give(stored.answer);
  const changes = changesOf(incoming.body);
  if (changes === undefined) return refuse(400, "Missing required parameter: 'metadata'.");
  const answer = { ...stored.answer, ...changes };
  world.completions.set(id, { ...stored, answer });
  return give(answer);
}
