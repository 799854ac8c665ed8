import type { WireId } from "../types/message.ts";
import type { WireTraits } from "../types/wire.ts";
import { anthropicTraits } from "./anthropic-messages/traits.ts";
import { googleTraits } from "./google-generate/traits.ts";
import { chatTraits } from "./openai-chat/traits.ts";
import { responsesTraits } from "./openai-responses/traits.ts";

/**
 * The traits of each wire. They are apart from the wires, so that a program for one service does
 * not load the others.
 */
export const traitsOf: Readonly<Record<WireId, WireTraits>> = {
  "anthropic-messages": anthropicTraits,
  "openai-responses": responsesTraits,
  "openai-chat": chatTraits,
  "google-generate": googleTraits,
};
