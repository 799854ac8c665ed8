/** Which calls wait for a person: none, those of tools that do not say that they only read, or all. */
export type McpApproval = "never" | "writes" | "always";

/** An MCP server: a program to start, or an address that speaks streamable HTTP. */
export type McpServer = (
  | {
      readonly command: string;
      readonly args?: readonly string[];
      /** Added to the few variables that a program gets in any case, such as `PATH` and `HOME`. */
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
) & {
  /** Instead of that of the options. */
  readonly approval?: McpApproval;
  /** Longest call in milliseconds, instead of the agent's `toolTimeoutMs`. */
  readonly timeoutMs?: number;
};

/** MCP servers by name, as `mcpServers` of a configuration file has them. */
export type McpServers = Readonly<Record<string, McpServer>>;
