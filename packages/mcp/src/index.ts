/** Tools of MCP servers for agents, over stdio and streamable HTTP. */
export { mcpTools, type McpOptions, type McpTools } from "./mcp-tools.ts";
export { readMcpServers } from "./read-servers.ts";
export type { McpApproval, McpServer, McpServers } from "./mcp-server.ts";
