import { question, type Participant } from "../../packages/cli/src/handoff/conversation.ts";
import type { JsonObject } from "../../packages/mull/src/types/json.ts";
import type { Level } from "../../packages/mull/src/types/level.ts";
import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  Part,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from "../../packages/mull/src/types/message.ts";
import type { OpenLoopPolicy } from "../../packages/mull/src/history/prepare.ts";

/** A conversation that things happen to. */
export interface Talk {
  participant: Participant;
  readonly messages: Message[];
  system: string | undefined;
  level: Level;
  budget: number | undefined;
  hasTools: boolean;
  isCached: boolean;
  extra: JsonObject | undefined;
  openLoop: OpenLoopPolicy;
  /** Whose key it is, and where it is sent to. */
  account: string;
  endpoint: string | undefined;
  /** Whether rows are looked up, or known of nobody. */
  knowsRows: boolean;
  /** Asks with what happened at the end, before there is a question. */
  isAskedAtOnce: boolean;
  /** Tells the ids of its answers apart. */
  answers: number;
  /** Leaves the next results out, or puts words before them. */
  results: "given" | "missing" | "late";
}

type Loose<T> = { -readonly [K in keyof T]: T[K] };

const image: FilePart = {
  type: "file",
  mediaType: "image/png",
  source: { type: "base64", data: "iVBORw0KGgo=" },
};
const stored: FilePart = {
  type: "file",
  mediaType: "application/pdf",
  source: { type: "id", id: "file_1" },
};

/** Some part of the first half, to be changed behind the library's back. */
function olderPart<T extends Part["type"]>(
  { messages }: Talk,
  type: T,
): Loose<Extract<Part, { type: T }>> | undefined {
  for (const { parts } of messages.slice(0, Math.ceil(messages.length / 2)).toReversed())
    for (const part of parts) if (part.type === type) return part as never;
  return undefined;
}

const lastThought = ({ messages }: Talk): Loose<ThinkingPart> | undefined =>
  messages
    .findLast(({ parts }) => parts.some(({ type }) => type === "thinking"))
    ?.parts.find((part) => part.type === "thinking");

const answer = (talk: Talk, ...parts: readonly AssistantPart[]): void => {
  const { provider, model } = talk.participant.target;
  const origin = { wire: provider.wire.id, provider: provider.id, model: model.id };
  talk.messages.push({ role: "assistant", origin, parts });
};

const wireOf = ({ participant }: Talk): Participant["model"]["wire"] =>
  participant.target.provider.wire.id;

/** What may happen before a question, most of it nothing a tidy program would do. */
export const happenings: Readonly<Record<string, (talk: Talk) => void>> = {
  "a blank question": ({ messages }) => messages.push(question(" ")),
  "two questions": ({ messages }) => messages.push(question("And?")),
  "no question": ({ messages }) => messages.pop(),
  "a picture": ({ messages }) => messages.push({ role: "user", parts: [image] }),
  "a file in a store": ({ messages }) => messages.push({ role: "user", parts: [stored] }),
  "a block of the vendor": (talk) => {
    const data = { type: "text", text: "Hm." };
    talk.messages.push({
      role: "user",
      parts: [
        { type: "opaque", wire: wireOf(talk), kind: "text", data },
        { type: "text", text: "Hm?" },
      ],
    });
  },
  "words of the system": ({ messages }) =>
    messages.push({ role: "system", parts: [{ type: "text", text: "Mind the gap." }] }),
  "another effort": (talk) => {
    const data = { effort: "low" };
    const kind = "effort-update";
    talk.messages.push({
      role: "system",
      parts: [{ type: "opaque", wire: wireOf(talk), kind, data }],
    });
  },
  "an empty answer": (talk) => answer(talk),
  "a question with an empty answer": (talk) => {
    talk.messages.push(question("Hello?"));
    answer(talk);
  },
  "an answer of space": (talk) => answer(talk, { type: "text", text: " " }),
  "an answer of a thought": (talk) =>
    answer(talk, { type: "thinking", text: "Well", visibility: "full" }),
  "an answer of a file": (talk) => answer(talk, { type: "text", text: "Look:" }, image),
  "an answer of a block": (talk) =>
    answer(talk, {
      type: "opaque",
      wire: wireOf(talk),
      kind: "server_tool_use",
      data: { type: "server_tool_use", id: "srv_1" },
    }),
  "a detail that came before": (talk) => {
    const { provider, model } = talk.participant.target;
    const origin = { wire: provider.wire.id, provider: provider.id, model: model.id };
    const data = { reasoning_details: [{ id: "detail_1", type: "reasoning.text", text: "So" }] };
    answer(
      talk,
      { type: "thinking", text: "So", visibility: "full", seal: { origin, data } },
      { type: "text", text: "Yes." },
    );
  },
  "a call nobody answered": (talk) => {
    talk.results = "missing";
  },
  "a result that came late": (talk) => {
    talk.results = "late";
  },
  "a result nobody asked for": ({ messages }) => {
    const lost: ToolResultPart = { type: "tool-result", callId: "lost", name: "n", output: "o" };
    messages.push({ role: "tool", parts: [lost] });
  },
  "a result nobody asked for behind a question": ({ messages }) => {
    const lost: ToolResultPart = { type: "tool-result", callId: "lost", name: "n", output: "o" };
    messages.push(question("Hello?"), { role: "tool", parts: [lost] });
  },
  "calls behind a result nobody asked for": (talk) => {
    const id = `call_lost${talk.answers++}`;
    const lost: ToolResultPart = { type: "tool-result", callId: "lost", name: "n", output: "o" };
    talk.messages.push({ role: "tool", parts: [lost] });
    answer(talk, { type: "tool-call", id, name: "get_weather", input: {} });
    talk.messages.push({ role: "tool", parts: [{ ...lost, callId: id }] });
  },
  "an old result given twice": ({ messages }) => {
    const at = messages.findLastIndex(({ role }) => role === "tool");
    if (at >= 0) messages.splice(at + 1, 0, messages[at]!);
  },
  "an old message taken out": ({ messages }) => {
    messages.splice(Math.floor(messages.length * 0.8), 1);
  },
  "an old message put in once more": ({ messages }) => {
    const at = Math.floor(messages.length * 0.8);
    messages.splice(at, 0, ...messages.slice(at - 1, at));
  },
  "the last turn told twice": ({ messages }) => {
    const from = messages.findLastIndex(({ role }) => role === "user");
    if (from >= 0) messages.push(...messages.slice(from));
  },
  "two answers": (talk) => answer(talk, { type: "text", text: "And so on." }),
  "answers of nobody knows whom": ({ messages }) => {
    const at = messages.findLastIndex(({ role }) => role === "assistant");
    if (at < 0) return;
    const { origin: _, ...last } = messages[at] as AssistantMessage;
    messages[at] = last;
  },
  "a file between call and result": (talk) => {
    const id = `call_file${talk.answers++}`;
    answer(talk, { type: "tool-call", id, name: "get_weather", input: {} });
    talk.messages.push(
      { role: "user", parts: [stored] },
      { role: "tool", parts: [{ type: "tool-result", callId: id, name: "n", output: "o" }] },
    );
    const origin = { wire: "openai-responses", provider: "elsewhere", model: "m" } as const;
    talk.messages.push({ role: "assistant", origin, parts: [{ type: "text", text: "I see." }] });
  },
  "results in two messages": (talk) => {
    const [one, two] = [`call_a${talk.answers}`, `call_b${talk.answers++}`];
    const call = { type: "tool-call", name: "get_weather", input: {} } as const;
    answer(talk, { ...call, id: one }, { ...call, id: two });
    const found = { type: "tool-result", name: "get_weather" } as const;
    talk.messages.push(
      { role: "tool", parts: [{ ...found, callId: one, output: [stored] }] },
      { role: "tool", parts: [{ ...found, callId: two, output: "o" }] },
    );
  },
  "a question with nothing but the system's words behind it": (talk) => {
    talk.messages.push(question("Hello?"));
    talk.messages.push({ role: "system", parts: [{ type: "text", text: "Mind the gap." }] });
    answer(talk, { type: "text", text: "I do." });
  },
  "asked at once": (talk) => {
    talk.isAskedAtOnce = true;
  },
  "asked at once behind an empty answer": (talk) => {
    answer(talk);
    talk.isAskedAtOnce = true;
  },
  "asked at once behind results and an empty answer": (talk) => {
    const id = `call_once${talk.answers++}`;
    answer(talk, { type: "tool-call", id, name: "get_weather", input: {} });
    talk.messages.push({
      role: "tool",
      parts: [{ type: "tool-result", callId: id, name: "get_weather", output: "o" }],
    });
    answer(talk);
    talk.isAskedAtOnce = true;
  },
  "a result with a file": (talk) => {
    const id = `call_file${talk.answers++}`;
    answer(talk, { type: "tool-call", id, name: "get_weather", input: {} });
    const output = [{ type: "text" as const, text: "Here:" }, image, stored];
    talk.messages.push({
      role: "tool",
      parts: [{ type: "tool-result", callId: id, name: "get_weather", output }],
    });
  },
  "files of another vendor": (talk) => {
    const id = `call_file${talk.answers++}`;
    const origin = { wire: "openai-responses", provider: "elsewhere", model: "m" } as const;
    talk.messages.push(
      { role: "user", parts: [{ type: "text", text: "This:" }, stored] },
      { role: "assistant", origin, parts: [{ type: "tool-call", id, name: "look", input: {} }] },
      {
        role: "tool",
        parts: [{ type: "tool-result", callId: id, name: "look", output: [stored] }],
      },
      { role: "assistant", origin, parts: [{ type: "text", text: "I see." }] },
      { role: "user", parts: [image] },
    );
  },
  "an id no service takes": (talk) => {
    const id = `a call, ${talk.answers++}`;
    answer(talk, { type: "tool-call", id, name: "get_weather", input: "as text" });
    talk.messages.push({
      role: "tool",
      parts: [{ type: "tool-result", callId: id, name: "get_weather", output: "", isError: true }],
    });
  },
  "ids that came before": (talk) => {
    talk.answers = 1;
  },
  "an old text changed in place": (talk) => {
    const part = olderPart(talk, "text");
    if (part) part.text += "!";
  },
  "an old result changed in place": (talk) => {
    const part = olderPart(talk, "tool-result");
    if (part) part.output = "changed";
  },
  "old arguments changed in place": (talk) => {
    const part: Loose<ToolCallPart> | undefined = olderPart(talk, "tool-call");
    if (part) Object.assign(part.input as object, { city: "Rome", more: [] });
  },
  "an old message put in place of another": ({ messages }) => {
    const at = Math.floor(messages.length / 2);
    if (messages[at]?.role === "user") messages[at] = question("Something else?");
  },
  "a thought marked never to be sent": (talk) => {
    const part = lastThought(talk);
    if (part) part.send = false;
  },
  "a seal the service refused": (talk) => {
    const part = lastThought(talk);
    if (part?.seal) part.seal = { ...part.seal, refused: true };
  },
  "a seal bound to something else": (talk) => {
    const part = lastThought(talk);
    if (part?.seal) part.seal = { ...part.seal, prefix: "0123456789abcdef" };
  },
  "half a character": ({ messages }) => messages.push(question("a\ud800b"), question("c")),
  "a fork": ({ messages }) => messages.splice(Math.ceil(messages.length * 0.7)),
  "another system prompt": (talk) => {
    talk.system = talk.system === "Be brief." ? "Be kind." : "Be brief.";
  },
  "another level": (talk) => {
    talk.level = talk.level === "med" ? "high" : talk.level === "high" ? "none" : "med";
  },
  "a budget": (talk) => {
    talk.budget = talk.budget === undefined ? 2000 : undefined;
  },
  "other tools": (talk) => {
    talk.hasTools = !talk.hasTools;
  },
  "a cache": (talk) => {
    talk.isCached = !talk.isCached;
  },
  "fields of one's own": (talk) => {
    talk.extra = talk.extra === undefined ? { metadata: { a: 1 } } : undefined;
  },
  "messages of one's own": (talk) => {
    const item = { role: "user", content: "Hi" };
    talk.extra = { messages: [item], input: [item], contents: [{ role: "user", parts: [{}] }] };
  },
  "another way with open loops": (talk) => {
    const ways: readonly OpenLoopPolicy[] = ["disable", "demote", "warn", "synthetic"];
    talk.openLoop = ways[(ways.indexOf(talk.openLoop) + 1) % ways.length]!;
  },
  "another key": (talk) => {
    talk.account = talk.account === "account" ? "another" : "account";
  },
  "another address": (talk) => {
    talk.endpoint = talk.endpoint === undefined ? "https://example.com" : undefined;
  },
  "rows nobody knows": (talk) => {
    talk.knowsRows = !talk.knowsRows;
  },
  "half a character in a name": (talk) => {
    talk.extra = { "half \ud800": 1 };
  },
};
