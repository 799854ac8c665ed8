import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { MullError, tool, type JsonObject, type Tool } from "mull";

/** A server of tools, as the configuration names it; nothing a user sends can add one. */
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

export interface McpTools {
  readonly tools: readonly Tool[];
  readonly close: () => Promise<void>;
}

/** Connects to the servers and offers their tools as `<server>_<tool>`. One that is down is left out. */
export async function connectMcp(
  servers: readonly McpServer[],
  onTrouble: (name: string, error: unknown) => void,
): Promise<McpTools> {
  const connected = await Promise.all(
    servers.map(async (server) => {
      try {
        return [await connect(server)];
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

async function connect(server: McpServer): Promise<McpTools> {
  const client = new Client({ name: "mull", version: "0.1.0" });
  await client.connect(transportFor(server));
  const { tools } = await client.listTools();
  return {
    tools: tools.map((offered) => toTool(client, server.name, offered)),
    close: () => client.close(),
  };
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

const toTool = (client: Client, server: string, offered: OfferedTool): Tool =>
  tool({
    name: `${server}_${offered.name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    ...(offered.description !== undefined && { description: offered.description.slice(0, 2000) }),
    input: offered.inputSchema as JsonObject,
    idempotent: offered.annotations?.idempotentHint ?? false,
    run: async (input, { signal }) => {
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
