import type { Tool } from "mull";
import { createMcpLine, type McpLine } from "./mcp-line.ts";
import type { McpApproval, McpServers } from "./mcp-server.ts";
import { toTool } from "./to-tool.ts";

/** Settings of `mcpTools`. */
export interface McpOptions {
  /** Which calls wait for a person, for servers that say nothing of their own; default `"never"`. */
  readonly approval?: McpApproval;
  /** How long a server may take to start and to list its tools; default 30,000. */
  readonly startMs?: number;
  /** Ends servers that are still starting. The call rejects once their programs are gone. */
  readonly signal?: AbortSignal;
  /** Told of servers that fail. With it a server that does not start is left out; without, it is thrown. */
  readonly onTrouble?: (server: string, error: Error) => void;
  /** Told when a server offers other tools than before. */
  readonly onChange?: () => void;
}

/** The tools of MCP servers. */
export interface McpTools {
  /** What the servers offer now, as `<server>_<tool>`. */
  readonly tools: readonly Tool[];
  /** Ends the connections, and the programs that were started. */
  readonly close: () => Promise<void>;
}

/**
 * Starts MCP servers, or connects to them, and makes tools of what they offer. A server that ends or loses its session
 * is started again by the next call.
 */
export async function mcpTools(servers: McpServers, options: McpOptions = {}): Promise<McpTools> {
  const { approval = "never", startMs = 30_000, signal, onTrouble, onChange } = options;
  const lines = Object.entries(servers).map(([name, server]) =>
    createMcpLine({
      name,
      server: { approval, ...server },
      startMs,
      ...(signal !== undefined && { signal }),
      onTrouble: (error) => onTrouble?.(name, error),
      onChange: () => onChange?.(),
    }),
  );
  const close = async (): Promise<void> => {
    await Promise.allSettled(lines.map((each) => each.close()));
  };
  const opened = await Promise.allSettled(lines.map((each) => each.open()));
  if (signal?.aborted === true) {
    await close();
    throw signal.reason;
  }
  for (const [at, outcome] of opened.entries()) {
    if (outcome.status === "fulfilled") continue;
    const error = outcome.reason as Error;
    if (onTrouble === undefined) {
      await close();
      throw error;
    }
    onTrouble(lines[at]!.name, error);
  }
  return {
    get tools() {
      return toolsOf(lines);
    },
    close,
  };
}

function toolsOf(lines: readonly McpLine[]): readonly Tool[] {
  const taken = new Set<string>();
  return lines.flatMap((line) => line.offered().map((offered) => toTool(line, offered, taken)));
}
