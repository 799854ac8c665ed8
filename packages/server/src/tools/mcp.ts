import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { MullError, tool, type JsonObject, type Tool } from "mull";

/** An MCP server from the configuration. Users cannot add one. */
export type McpServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly name: string;
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** The tools of the connected MCP servers. */
export interface McpTools {
  readonly tools: readonly Tool[];
  readonly close: () => Promise<void>;
}

/**
 * Connects to MCP servers and offers their tools as `<server>_<tool>`. Servers that are down or
 * silent for `waitMs` are left out.
 */
export async function connectMcp(
  servers: readonly McpServer[],
  onTrouble: (name: string, error: unknown) => void,
  waitMs = 10_000,
): Promise<McpTools> {
  const connected = await Promise.all(
    servers.map(async (server) => {
      try {
        return [await connect(server, waitMs)];
      } catch (error) {
        onTrouble(server.name, error);
        return [];
      }
    }),
  );
  const all = connected.flat();
  return {
    tools: all.flatMap((each) => each.tools),
    close: async () => {
      await Promise.allSettled(all.map((each) => each.close()));
    },
  };
}

async function connect(server: McpServer, waitMs: number): Promise<McpTools> {
  const line = createLine(server, waitMs);
  try {
    const { tools } = await (await line.open()).listTools({}, { timeout: waitMs });
    return {
      tools: tools.map((offered) => toTool(line, server.name, offered)),
      close: line.close,
    };
  } catch (error) {
    await line.close().catch(() => undefined);
    throw error;
  }
}

interface Line {
  /** The connection; a new one where the last broke, as when the server of tools was started anew. */
  readonly open: () => Promise<Client>;
  readonly close: () => Promise<void>;
}

function createLine(server: McpServer, waitMs: number): Line {
  let current: Promise<Client> | undefined;
  return {
    open: () => {
      if (current !== undefined) return current;
      const forget = (): void => {
        if (current === opening) current = undefined;
      };
      const opening = openClient(server, waitMs, forget).catch((error: unknown) => {
        forget();
        throw error;
      });
      current = opening;
      return opening;
    },
    close: async () => (await current)?.close(),
  };
}

async function openClient(server: McpServer, waitMs: number, onclose: () => void): Promise<Client> {
  const client = Object.assign(new Client({ name: "mull", version: "0.1.0" }), { onclose });
  await client.connect(transportFor(server), { timeout: waitMs });
  return client;
}

const transportFor = (server: McpServer): StdioClientTransport | StreamableHTTPClientTransport =>
  "command" in server
    ? new StdioClientTransport({
        command: server.command,
        args: [...(server.args ?? [])],
        stderr: "ignore",
        ...(server.env !== undefined && { env: { ...server.env } }),
      })
    : new StreamableHTTPClientTransport(new URL(server.url), {
        requestInit: { headers: { ...server.headers }, redirect: "error" },
      });

interface OfferedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: { readonly idempotentHint?: boolean | undefined } | undefined;
}

const toTool = (line: Line, server: string, offered: OfferedTool): Tool =>
  tool({
    name: `${server}_${offered.name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    ...(offered.description !== undefined && { description: offered.description.slice(0, 2000) }),
    input: offered.inputSchema as JsonObject,
    idempotent: offered.annotations?.idempotentHint ?? false,
    run: async (input, { signal }) => {
      const client = await line.open();
      const result = await client.callTool({ name: offered.name, arguments: input }, { signal });
      const said = readContent(result.content);
      if (result.isError) throw new MullError(said, { category: "unknown", code: "tool_failed" });
      return said;
    },
  });

/** What the tool said, as text; other content is named, not sent. */
const readContent = (content: unknown): string =>
  (Array.isArray(content) ? content : [])
    .map((block: { readonly type?: unknown; readonly text?: unknown }) =>
      block.type === "text" && typeof block.text === "string"
        ? block.text
        : `[${String(block.type)}]`,
    )
    .join("\n") || "(nothing)";
