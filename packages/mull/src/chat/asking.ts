import type { JsonObject } from "../types/json.ts";
import type { Message } from "../types/message.ts";
import type { ChatRequest } from "../types/request.ts";
import type { Wire } from "../types/wire.ts";
// Bundles have the wires in this order, which compresses best of all.
import { googleGenerate } from "../wire/google-generate/index.ts";
import { anthropicMessages } from "../wire/anthropic-messages/index.ts";
import { openaiResponses } from "../wire/openai-responses/index.ts";
import { openaiChat } from "../wire/openai-chat/index.ts";
import { composeBehind, type ChatTarget, type ComposeContext, type Composed } from "./compose.ts";

/** One request of a conversation, and what of it does not depend on its messages. */
export interface Asking {
  readonly target: ChatTarget;
  readonly request: ChatRequest;
  readonly context: ComposeContext;
  /** The system's words in front of the history: they go with every piece of it. */
  readonly lead: readonly Message[];
  /** The lead and a word of the user's: what every request of this kind has in common. */
  readonly probe: Composed;
  /** The field of the body that holds the messages. */
  readonly field: string;
  /** All of the request but its messages and its marks for the cache. */
  readonly rest: string;
  /** Everything that what becomes of a message depends on, beside the other messages. */
  readonly terms: string;
  /** Where rows of models are looked up: terms too, but no text. */
  readonly rows: unknown;
  /** Whether the model binds its seals to all that stands before them. */
  readonly isBinding: boolean;
  /** Whether what was sent of a tool loop stays as it is while the loop goes on. */
  readonly mayCutLoops: boolean;
}

/** Where each wire has its messages. A wire that is not ours may look at all of them for each. */
const listFields: ReadonlyMap<Wire, string> = new Map([
  [anthropicMessages, "messages"],
  [openaiResponses, "input"],
  [openaiChat, "messages"],
  [googleGenerate, "contents"],
]);

/** `undefined` where a history of this request cannot be taken apart. */
export function createAsking(
  target: ChatTarget,
  request: ChatRequest,
  context: ComposeContext,
): Asking | undefined {
  const { messages } = request;
  const { provider, model } = target;
  const start = messages.findIndex(({ role }) => role !== "system");
  const lead = messages.slice(0, start);
  const isBinding = model.seals?.prefixBound !== undefined;
  if (messages[start]?.role !== "user" || (isBinding && start > 0)) return undefined;
  const field = listFields.get(provider.wire);
  if (field === undefined || request.extra?.[field] !== undefined) return undefined;
  // Without marks for the cache: those stand at the end of a whole request.
  const { cache: _cache, ...rest } = request;
  const asked = { ...rest, messages: [...lead, word] };
  const probe = composeBehind(undefined, target, asked, context);
  // Gemma has the system's words there too.
  if (!isAlone(itemsOf(probe, field).at(-1), word)) return undefined;
  const { setting } = probe.plan;
  const { endpoint, account, modelOf } = context;
  const own = [provider.id, provider.wire.id, provider.quirks, model, endpoint, account];
  return {
    target,
    request,
    context,
    lead,
    probe,
    field,
    rest: restOf(probe, field),
    terms: JSON.stringify([own, request.system, setting, probe.prepared.prefix]),
    rows: modelOf ?? provider.models,
    isBinding,
    // Google marks calls of the open turn; others want its thoughts only, or look how it began.
    mayCutLoops:
      provider.wire !== googleGenerate && model.replay !== "loop" && setting.type !== "budget",
  };
}

const word: Message = { role: "user", parts: [{ type: "text", text: "." }] };

/** Whether an item holds these words and nothing else. */
export function isAlone(item: JsonObject | undefined, { parts }: Message): boolean {
  const content = item?.["content"] ?? item?.["parts"];
  return typeof content === "string" || (Array.isArray(content) && content.length === parts.length);
}

export const itemsOf = ({ encoded }: Composed, field: string): readonly JsonObject[] => {
  const list = encoded.body[field];
  return Array.isArray(list) ? (list as readonly JsonObject[]) : [];
};

/** All of a request but its messages. */
export const restOf = ({ encoded }: Composed, field: string): string => {
  const { path, headers, body, notes } = encoded;
  return JSON.stringify([path, headers, { ...body, [field]: [] }, notes]);
};
