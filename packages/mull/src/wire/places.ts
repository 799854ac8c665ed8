import type { WireId } from "../types/message.ts";

/** Where each wire is asked, and the list that every request to it has. */
export const places: readonly (readonly [path: RegExp, wire: WireId, list: string])[] = [
  [/\/messages$/, "anthropic-messages", "messages"],
  [/\/responses$/, "openai-responses", "input"],
  [/\/chat\/completions$/, "openai-chat", "messages"],
  [/\/models\/[^/]+:(?:streamG|g)enerateContent$/, "google-generate", "contents"],
];
