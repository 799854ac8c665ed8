import type { AnyTool, Fetch, Message, Origin, WireId } from "mull";
import {
  addToPrefix,
  createPrefix,
  prefixValue,
} from "../packages/mull/src/history/fingerprint.ts";
import { modelOf } from "./contestants/mull.ts";

/** Text lengths as in the histories of agents: results are long, questions short. */
const longSizes = { question: 300, thought: 1200, query: 200, result: 3000, answer: 800 } as const;

/** A chat: everything is short, so the work per message weighs more. */
const shortSizes = { question: 125, thought: 375, query: 125, result: 250, answer: 250 } as const;

const prose =
  'The answer depends on what is asked: a short note first, then the table that was promised, with "quotes", a break\nand some more words. ';

const words = (length: number): string =>
  prose.repeat(Math.ceil(length / prose.length)).slice(0, length);

const bareModel = (wire: WireId): string => modelOf[wire].replace(/^.*:/, "");

/** Seals as the wire's own service makes them, so that all thinking goes back. */
const seals: Readonly<Record<WireId, (at: number) => object>> = {
  "anthropic-messages": (at) => ({ signature: `RXFRQkNrWUlDeEFD${at}`.padEnd(300, "A") }),
  "openai-responses": (at) => ({
    id: `rs_${at}`,
    encrypted_content: `gAAAAABo${at}`.padEnd(300, "A"),
  }),
  "openai-chat": () => ({ field: "reasoning_content" }),
  "google-generate": (at) => ({ thoughtSignature: `CiQB${at}`.padEnd(300, "A") }),
};

const providers: Readonly<Record<WireId, string>> = {
  "anthropic-messages": "anthropic",
  "openai-responses": "openai",
  "openai-chat": "deepseek",
  "google-generate": "google",
};

/** Parsed from JSON, as histories come from stores: flat strings, and no object in two places. */
const asStored = (messages: readonly Message[]): readonly Message[] =>
  JSON.parse(JSON.stringify(messages)) as readonly Message[];

/** A conversation in turns of four messages: a question, a thought with a call, a result, an answer. */
export function makeMessages(
  wire: WireId,
  count: number,
  length: "long" | "short" = "long",
): readonly Message[] {
  const sizes = length === "long" ? longSizes : shortSizes;
  const origin: Origin = { wire, provider: providers[wire], model: bareModel(wire) };
  const turn = (at: number): readonly Message[] => [
    { role: "user", parts: [{ type: "text", text: `${at}: ${words(sizes.question)}` }] },
    {
      role: "assistant",
      origin,
      parts: [
        {
          type: "thinking",
          text: words(sizes.thought),
          visibility: "summary",
          seal: { origin, data: seals[wire](at) as Readonly<Record<string, string>> },
        },
        {
          type: "tool-call",
          id: `call_${at}`,
          name: "look",
          input: { query: words(sizes.query), limit: at },
        },
      ],
    },
    {
      role: "tool",
      parts: [
        { type: "tool-result", callId: `call_${at}`, name: "look", output: words(sizes.result) },
      ],
    },
    { role: "assistant", origin, parts: [{ type: "text", text: words(sizes.answer) }] },
  ];
  const turns = Array.from({ length: Math.ceil(count / 4) }, (_, at) => turn(at));
  return asStored(turns.flat()).slice(0, count);
}

/**
 * The same history as mull keeps it for models that bind thinking to what stands before it: every
 * seal knows its prefix, so that every prefix has to be looked at again before a request.
 */
export function bindSeals(
  messages: readonly Message[],
  tools: readonly AnyTool[],
): readonly Message[] {
  const prefix = createPrefix(undefined, tools);
  const bound = messages.map((message): Message => {
    const before = prefixValue(prefix);
    addToPrefix(prefix, message);
    if (message.role !== "assistant") return message;
    const parts = message.parts.map((part) =>
      part.seal === undefined ? part : { ...part, seal: { ...part.seal, prefix: before } },
    );
    return { ...message, parts };
  });
  return asStored(bound);
}

const encoder = new TextEncoder();

/** The body as text, then as bytes: the least any client must do for a request. */
export const toBytes = (body: unknown): Uint8Array => encoder.encode(JSON.stringify(body));

/** Takes the bytes of a body, as every `fetch` has to: what `JSON.stringify` made is still in pieces. */
export const takingBytes =
  (answer: () => Promise<Response>): Fetch =>
  async (_, init) => {
    if (typeof init?.body === "string") encoder.encode(init.body);
    else await new Response(init?.body).arrayBuffer();
    return answer();
  };
