import { createInterface } from "node:readline";

/** A server of tools over standard input and output, as small as the protocol allows. */
const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "probe", version: "1" },
  }),
  "tools/list": () => ({
    tools: [
      {
        name: "shout",
        description: "Says it louder.",
        inputSchema: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
        },
      },
      { name: "fail.now", inputSchema: { type: "object" } },
      { name: "die", inputSchema: { type: "object" } },
    ],
  }),
  "tools/call": ({ name, arguments: given }) => {
    if (name === "die") process.exit(1);
    return name === "shout"
      ? { content: [{ type: "text", text: (given as { text: string }).text.toUpperCase() }] }
      : { content: [{ type: "text", text: "it broke" }], isError: true };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as {
    readonly id?: number;
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
  if (id === undefined) return;
  const answer = answers[method];
  const reply =
    answer === undefined
      ? { error: { code: -32_601, message: "no such method" } }
      : { result: answer(params ?? {}) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`);
});
