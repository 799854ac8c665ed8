import { grouped } from "mull/wire";
import type { Provider, TokenCount } from "mull";

/** `1,234 tokens, counted by Anthropic`, or why it is an estimate. */
export const describeCount = (
  { tokens, source, reason }: TokenCount,
  { name }: Pick<Provider, "name">,
): string =>
  source === "service"
    ? `${grouped(tokens)} tokens, counted by ${name}`
    : `~${grouped(tokens)} tokens, estimated${reason === undefined ? "" : `: ${reason}`}`;
