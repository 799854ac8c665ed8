import { createParser } from "eventsource-parser";
import type { Fetch, WireId } from "mull";
import type { Tally } from "../streams.ts";
import { type Contestant, everyWire } from "./contestant.ts";

interface Gathered {
  thinking: string;
  text: string;
  input: string;
}

type Take = (frame: never, into: Gathered) => void;

interface AnthropicFrame {
  readonly delta?: { thinking?: string; text?: string; partial_json?: string };
}
interface ResponsesFrame {
  readonly type: string;
  readonly delta?: string;
}
interface ChatFrame {
  readonly choices: readonly {
    readonly delta: {
      content?: string | null;
      reasoning_content?: string | null;
      tool_calls?: readonly { function: { arguments: string } }[];
    };
  }[];
}
interface GoogleFrame {
  readonly candidates: readonly {
    readonly content: {
      readonly parts: readonly {
        text?: string;
        thought?: boolean;
        functionCall?: { args: unknown };
      }[];
    };
  }[];
}

/** The least a program can do with a frame: pick the delta and append it. */
const takeFrom: Readonly<Record<WireId, Take>> = {
  "anthropic-messages": ({ delta }: AnthropicFrame, into) => {
    if (delta?.thinking !== undefined) into.thinking += delta.thinking;
    else if (delta?.text !== undefined) into.text += delta.text;
    else if (delta?.partial_json !== undefined) into.input += delta.partial_json;
  },
  "openai-responses": ({ type, delta }: ResponsesFrame, into) => {
    if (delta === undefined) return;
    if (type === "response.reasoning_summary_text.delta") into.thinking += delta;
    else if (type === "response.output_text.delta") into.text += delta;
    else if (type === "response.function_call_arguments.delta") into.input += delta;
  },
  "openai-chat": ({ choices }: ChatFrame, into) => {
    const delta = choices[0]?.delta;
    if (delta?.reasoning_content) into.thinking += delta.reasoning_content;
    if (delta?.content) into.text += delta.content;
    if (delta?.tool_calls) into.input += delta.tool_calls[0]!.function.arguments;
  },
  "google-generate": ({ candidates }: GoogleFrame, into) => {
    for (const part of candidates[0]!.content.parts) {
      if (part.functionCall !== undefined) into.input += JSON.stringify(part.functionCall.args);
      else if (part.thought === true) into.thinking += part.text!;
      else into.text += part.text!;
    }
  },
};

const lengths = (gathered: Readonly<Gathered>): Tally => ({
  thinking: gathered.thinking.length,
  text: gathered.text.length,
  input: gathered.input.length,
});

/** A program without a library: eventsource-parser 3 and `JSON.parse`, by callback. */
async function readFloor(
  wire: WireId,
  fetch: Fetch,
  baseUrl = "https://bench.invalid",
  onFirst?: () => void,
): Promise<Tally> {
  const gathered: Gathered = { thinking: "", text: "", input: "" };
  const take = takeFrom[wire];
  let hasBegun = onFirst === undefined;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== "[DONE]") take(JSON.parse(data) as never, gathered);
      if (!hasBegun && gathered.thinking !== "") {
        hasBegun = true;
        onFirst?.();
      }
    },
  });
  const response = await fetch(`${baseUrl}/`, { method: "POST", body: "{}" });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parser.feed(decoder.decode(value, { stream: true }));
  }
  return lengths(gathered);
}

/** Only reads the bytes. */
async function readPump(
  _wire: WireId,
  fetch: Fetch,
  baseUrl = "https://bench.invalid",
): Promise<Tally> {
  const response = await fetch(`${baseUrl}/`, { method: "POST", body: "{}" });
  const reader = response.body!.getReader();
  while (!(await reader.read()).done);
  return { thinking: 0, text: 0, input: 0 };
}

export const floor: Contestant = {
  name: "floor",
  kind: "floor",
  wires: everyWire,
  read: readFloor,
};
export const pump: Contestant = { name: "pump", kind: "pump", wires: everyWire, read: readPump };
