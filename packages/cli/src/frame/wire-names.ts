/** The ways people write a wire, for help and completion; `wire-words.ts` reads them. */
export const wireNames: readonly string[] = [
  "anthropic-messages",
  "anthropic",
  "openai-responses",
  "openai-chat",
  "google-generate",
  "google",
];
