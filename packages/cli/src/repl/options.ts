import type { CacheHints, Tool, UserPart } from "mull";
import type { Settings } from "../config/settings.ts";
import type { Io } from "../frame/io.ts";
import type { Backend } from "../session/backend.ts";
import type { Terminal } from "./terminal.ts";
import type { AskRegistry } from "./update-notice.ts";

/** How a chat is started. */
export interface ReplOptions {
  readonly io: Io;
  readonly settings: Settings;
  /** Default: the terminal of this process. */
  readonly terminal?: Terminal;
  /** Go on with this conversation; an empty name is the last one. */
  readonly resume?: string;
  /** The model was named for this call: it wins over the one of the conversation taken up again. */
  readonly isModelGiven?: boolean;
  /** So was the level. */
  readonly isLevelGiven?: boolean;
  /** Let the emulator answer even if there is a key. */
  readonly simulate?: boolean;
  /** The model that answers; chosen from keys and settings unless given. */
  readonly backend?: Backend;
  /** Tools the model may use; the built-in ones unless given. */
  readonly tools?: readonly Tool[];
  /** MCP servers whose tools come beside them, as `--mcp` takes them. */
  readonly mcp?: readonly string[];
  /** Tools that run without asking. */
  readonly allow?: readonly string[];
  /** Tokens for thinking instead of the level's. */
  readonly thinkingBudget?: number;
  /** Models to ask when the first one fails. */
  readonly fallback?: readonly string[];
  /** What services are told about their prompt cache. */
  readonly cache?: CacheHints;
  /** Asks npm's registry for a newer version; the platform's own unless given. */
  readonly fetch?: AskRegistry;
  /** Asked at once. */
  readonly first?: readonly UserPart[];
}
