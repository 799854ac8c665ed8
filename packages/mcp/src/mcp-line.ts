import { Client, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { setTimeout as sleep } from "node:timers/promises";
import { MullError } from "mull";
import type { McpServer } from "./mcp-server.ts";

/** A tool as its server describes it. */
export type OfferedTool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

/** What a call came back with. */
export type CallResult = Awaited<ReturnType<Client["callTool"]>>;

/** One server, over as many connections as it takes. */
export interface McpLine {
  readonly name: string;
  readonly server: McpServer;
  readonly open: () => Promise<Client>;
  readonly offered: () => readonly OfferedTool[];
  readonly call: (
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<CallResult>;
  readonly close: () => Promise<void>;
}

interface McpLineOptions {
  readonly name: string;
  readonly server: McpServer;
  readonly startMs: number;
  readonly signal?: AbortSignal;
  readonly onTrouble: (error: Error) => void;
  readonly onChange: () => void;
}

/** The agent ends a call that takes too long, with its signal. */
const noLimit = { timeout: 2_147_483_647 };

export function createMcpLine(options: McpLineOptions): McpLine {
  const { name, server, onChange } = options;
  let current: Promise<Client> | undefined;
  let offered: readonly OfferedTool[] = [];
  let isFirst = true;

  const take = (tools: readonly OfferedTool[]): void => {
    const isNew = !isFirst && JSON.stringify(tools) !== JSON.stringify(offered);
    isFirst = false;
    offered = tools;
    if (isNew) onChange();
  };
  const open = (): Promise<Client> => {
    if (current !== undefined) return current;
    const forget = (): void => {
      if (current === opening) current = undefined;
    };
    const opening = openClient(options, { onTools: take, onClose: forget }).catch(
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    current = opening;
    return opening;
  };
  const close = async (): Promise<void> => {
    const closing = current;
    current = undefined;
    await (await closing)?.close();
  };

  return {
    name,
    server,
    open,
    close,
    offered: () => offered,
    async call(tool, input, signal) {
      const ask = async (): Promise<CallResult> =>
        (await open()).callTool({ name: tool, arguments: input }, { ...noLimit, signal });
      try {
        return await ask();
      } catch (error) {
        if (!isSessionGone(error)) throw error;
        // The server does not know the session any more, so it has not run the call.
        await close().catch(() => undefined);
        return ask();
      }
    },
  };
}

/** 404 is what the protocol says; servers made with the older SDK answer 400. */
const isSessionGone = (error: unknown): boolean =>
  SdkHttpError.isInstance(error) &&
  (error.status === 404 || (error.status === 400 && /session/i.test(error.message)));

/** Written down, not read from `package.json`: this module also runs if there are no files. A test compares the two. */
const clientInfo = { name: "mull", version: "0.2.0" };

interface ClientEvents {
  readonly onTools: (tools: readonly OfferedTool[]) => void;
  readonly onClose: () => void;
}

async function openClient(
  { name, server, startMs, signal, onTrouble }: McpLineOptions,
  { onTools, onClose }: ClientEvents,
): Promise<Client> {
  const { transport, said } = transportFor(server);
  const made = new Client(clientInfo, {
    listChanged: {
      tools: {
        onChanged: (error, tools) => {
          if (error !== null) onTrouble(error);
          else if (tools !== null) onTools(tools);
        },
      },
    },
  });
  const client = Object.assign(made, { onclose: onClose });
  const limits = { timeout: startMs, ...(signal !== undefined && { signal }) };
  const gone = new Promise<void>((onclose) => Object.assign(transport, { onclose }));
  const terminate = (): void => terminateProgram(transport);
  signal?.addEventListener("abort", terminate);
  try {
    await client.connect(transport, limits);
    onTools((await client.listTools({}, limits)).tools);
    return client;
  } catch (error) {
    await transport.close().catch(() => undefined);
    // The client has begun to close it, and a program that stays is killed only after a while.
    if (signal?.aborted === true) await Promise.race([gone, sleep(killedAfterMs)]);
    throw notStarted(name, server, error, said());
  } finally {
    signal?.removeEventListener("abort", terminate);
  }
}

/** The SDK gives a program two seconds for the end of its input and two for SIGTERM, then kills it. */
const killedAfterMs = 4500;

/** Nobody waits for its answer any more, so it needn't find out from the end of its input. */
function terminateProgram(transport: McpRoute["transport"]): void {
  if (!("pid" in transport) || transport.pid === null) return;
  try {
    process.kill(transport.pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
}

/** What a program wrote before it failed says more than that its connection was closed. */
function notStarted(name: string, server: McpServer, error: unknown, said: string): MullError {
  const place = "command" in server ? server.command : new URL(server.url).origin;
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  const reason = isMissing ? `there is no program ${place}` : wordsOf(error);
  return new MullError(
    `The MCP server ${place === name ? name : `${name} (${place})`} does not answer: ${reason}${said === "" ? "" : `. It wrote: ${said}`}`,
    { category: "network", code: "mcp_server" },
    { cause: error },
  );
}

/** `fetch failed` on top says nothing, `connect ECONNREFUSED` below it does. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? wordsOf(error.cause) : error.message;
}

/** So much of what a program writes to stderr is kept. */
const mostSaid = 2000;

interface McpRoute {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;
  /** The end of what the program wrote to stderr. */
  readonly said: () => string;
}

function transportFor(server: McpServer): McpRoute {
  if (!("command" in server)) {
    // A redirect would take the headers, and the secrets in them, to another server.
    const requestInit = { headers: { ...server.headers }, redirect: "error" } as const;
    const url = new URL(server.url);
    return { transport: new StreamableHTTPClientTransport(url, { requestInit }), said: () => "" };
  }
  const { command, args = [], env = {}, cwd } = server;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  let text = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-mostSaid);
  });
  return { transport, said: () => text.trim() };
}
