export { chatServer, type ChatServer, type Peer } from "./app.ts";
export { passwordCost, type PasswordCost } from "./accounts/password.ts";
export type { StaticFile, StaticFiles } from "./http/static-files.ts";
export { listen, type Listening, type ListenOptions } from "./node.ts";
export { defaultLimits } from "./parts.ts";
export type { ChatServerParts, Limits, LogEntry, Upstream } from "./parts.ts";
export { routes } from "./routes/index.ts";
export type { Method, Route } from "./routes/route.ts";
export { transforms, type Transform } from "./turns/comply-history.ts";
