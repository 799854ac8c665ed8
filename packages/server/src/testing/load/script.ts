/**
 * Describes an answer. It travels as the question, so that one upstream and one bare server can
 * play every part, with a script for each stream.
 */
export type Script =
  /** All events at once, one `write` each. */
  | { readonly kind: "burst"; readonly events: number }
  /** One event at a time; each carries the time it was written. */
  | { readonly kind: "paced"; readonly events: number; readonly perSecond: number }
  /** Starts to speak, then falls silent. */
  | { readonly kind: "silent" }
  /** One block of this many characters, in a few writes. */
  | { readonly kind: "large"; readonly characters: number };

type Block = "thinking" | "text";

/** The events of a protocol, as they are written. */
export interface Dialect {
  readonly start: readonly string[];
  readonly begin: (block: Block) => string;
  readonly delta: (block: Block, text: string) => string;
  readonly end: (block: Block) => readonly string[];
  readonly finish: readonly string[];
}

const words = [" the", " model", " weighs", ' "both"', " sides,", " — slowly", " 3.14", "\n\n"];

/** The events of a `burst`: half thinking, half text. */
export function burstEvents(dialect: Dialect, events: number): readonly string[] {
  const deltas = (block: Block): readonly string[] =>
    Array.from({ length: events / 2 }, (_, at) =>
      dialect.delta(block, words.at(at % words.length)!),
    );
  const whole = (block: Block): readonly string[] => [
    dialect.begin(block),
    ...deltas(block),
    ...dialect.end(block),
  ];
  return [...dialect.start, ...whole("thinking"), ...whole("text"), ...dialect.finish];
}

const frame = (data: Readonly<Record<string, unknown>> & { readonly type: string }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const indexOf = (block: Block): number => (block === "thinking" ? 0 : 1);

/** What the service says. */
export const serviceDialect: Dialect = {
  start: [
    frame({
      type: "message_start",
      message: {
        id: "msg_load",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        usage: { input_tokens: 25, output_tokens: 1 },
      },
    }),
  ],
  begin: (block) =>
    frame({
      type: "content_block_start",
      index: indexOf(block),
      content_block:
        block === "thinking"
          ? { type: "thinking", thinking: "", signature: "" }
          : { type: "text", text: "" },
    }),
  delta: (block, text) =>
    frame({
      type: "content_block_delta",
      index: indexOf(block),
      delta: { type: `${block}_delta`, [block]: text },
    }),
  end: (block) => {
    const index = indexOf(block);
    const delta = { type: "signature_delta", signature: "RXFRQkNrWUlDeEFD" };
    const stop = frame({ type: "content_block_stop", index });
    return block === "text" ? [stop] : [frame({ type: "content_block_delta", index, delta }), stop];
  },
  finish: [
    frame({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 500 },
    }),
    frame({ type: "message_stop" }),
  ],
};

const uiNames = { thinking: "reasoning", text: "text" } as const;

const uiFrame = (data: Readonly<Record<string, unknown>>): string =>
  `id: 1234\ndata: ${JSON.stringify(data)}\n\n`;

const uiBlock = (block: Block, what: string, more: object = {}): string =>
  uiFrame({ type: `${uiNames[block]}-${what}`, id: `0-${indexOf(block)}`, ...more });

/** What a chat server sends to a browser. */
export const uiDialect: Dialect = {
  start: [uiFrame({ type: "start", messageId: "load" }), uiFrame({ type: "start-step" })],
  begin: (block) => uiBlock(block, "start"),
  delta: (block, text) => uiBlock(block, "delta", { delta: text }),
  end: (block) => [uiBlock(block, "end")],
  finish: [uiFrame({ type: "finish-step" }), uiFrame({ type: "finish" }), "data: [DONE]\n\n"],
};
