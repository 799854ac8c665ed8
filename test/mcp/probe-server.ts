import { createInterface } from "node:readline";

interface Params {
  readonly protocolVersion?: string;
  readonly clientInfo?: { readonly name: string; readonly version: string };
  readonly name?: string;
  readonly arguments?: { readonly text?: string };
}

const learnt: string[] = [];
const clients: string[] = [];

const write = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
};

/** A server of tools over standard input and output, as small as the protocol allows. */
const answers: Readonly<Record<string, (params: Params) => unknown>> = {
  initialize: ({ protocolVersion, clientInfo }) => {
    clients.push(`${clientInfo?.name} ${clientInfo?.version}`);
    return {
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "probe", version: "1" },
    };
  },
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
      { name: "client", inputSchema: { type: "object" } },
      { name: "learn", inputSchema: { type: "object" } },
      ...learnt.map((name) => ({ name, inputSchema: { type: "object" } })),
    ],
  }),
  "tools/call": ({ name, arguments: given }) => {
    if (name === "die") process.exit(1);
    if (name === "learn") {
      learnt.push("sing");
      write({ method: "notifications/tools/list_changed" });
    }
    if (name === "client") return { content: [{ type: "text", text: clients.join() }] };
    return name === "shout" || name === "learn"
      ? { content: [{ type: "text", text: (given?.text ?? "").toUpperCase() }] }
      : { content: [{ type: "text", text: "it broke" }], isError: true };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as {
    readonly id?: number;
    readonly method: string;
    readonly params?: Params;
  };
  if (id === undefined) return;
  const answer = answers[method];
  const reply =
    answer === undefined
      ? { error: { code: -32_601, message: "no such method" } }
      : { result: answer(params ?? {}) };
  write({ id, ...reply });
});
