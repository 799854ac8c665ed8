export { chatServer, type ChatServer, type Peer } from "./app.ts";
export { passwordCost, type PasswordCost } from "./accounts/password.ts";
export type { StaticFile, StaticFiles } from "./http/static-files.ts";
export { listen, type Listening, type ListenOptions } from "./node.ts";
export { defaultLimits } from "./parts.ts";
export type { ChatServerParts, Limits, LogEntry, Upstream } from "./parts.ts";
export { routes } from "./routes/index.ts";
export type { Method, Route } from "./routes/route.ts";
export { serve, type ServeOptions, type Serving } from "./serve.ts";
export { calculate, calculator } from "./tools/calculator.ts";
export {
  offlineSearch,
  searchWeb,
  type SearchHit,
  type SearchProvider,
} from "./tools/search-web.ts";
export { connectMcp, type McpServer, type McpTools } from "./tools/mcp.ts";
export { transforms, type Transform } from "./turns/comply-history.ts";
