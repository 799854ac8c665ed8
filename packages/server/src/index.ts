/** The chat server and its tools. */
export { chatServer, type ChatServer, type Goodbye, type Peer } from "./app.ts";
export type { PasswordCost } from "./accounts/password.ts";
export {
  openServerKeys,
  type KeySource,
  type ServerKeyPlaces,
  type ServerKeys,
} from "./keys/server-keys.ts";
export type { StaticFile, StaticFiles } from "./http/static-files.ts";
export { listen, type Listening, type ListenOptions } from "./node.ts";
export type { ChatServerParts, Limits, LogEntry, Upstream } from "./parts.ts";
export {
  entranceLine,
  openingLine,
  serve,
  type Entrance,
  type ServeOptions,
  type Serving,
} from "./serve.ts";
export {
  calculator,
  offlineSearch,
  searchWeb,
  type SearchHit,
  type SearchProvider,
} from "./tools/index.ts";
