import type { JsonObject, Origin, Seal } from "mull";
import type { ProviderMetadata } from "./ui-message.ts";

/**
 * The model that wrote messages which do not name it, and its provider if that is not the vendor.
 */
export interface ForeignOrigin {
  readonly model: string;
  readonly provider?: string;
  /** Default: the vendor's own address. */
  readonly endpoint?: string;
  /** `accountOf(key)` of the key that was used: OpenAI and xAI read no thinking of another account. */
  readonly account?: string;
}

/** The places and names that the AI SDK's own providers use for seals. */
const places: readonly {
  readonly key: string;
  readonly wire: Origin["wire"];
  readonly provider: string;
  readonly endpoint: string;
  readonly read: (metadata: JsonObject) => JsonObject | undefined;
}[] = [
  {
    key: "anthropic",
    wire: "anthropic-messages",
    provider: "anthropic",
    endpoint: "https://api.anthropic.com",
    read: ({ signature, redactedData }) =>
      typeof signature === "string"
        ? { signature }
        : typeof redactedData === "string"
          ? { redacted: redactedData }
          : undefined,
  },
  {
    key: "openai",
    wire: "openai-responses",
    provider: "openai",
    endpoint: "https://api.openai.com",
    read: ({ itemId, reasoningEncryptedContent }) =>
      typeof itemId === "string"
        ? {
            id: itemId,
            ...(typeof reasoningEncryptedContent === "string" && {
              encrypted_content: reasoningEncryptedContent,
              summary: [],
            }),
          }
        : undefined,
  },
  {
    key: "google",
    wire: "google-generate",
    provider: "google",
    endpoint: "https://generativelanguage.googleapis.com",
    read: ({ thoughtSignature }) =>
      typeof thoughtSignature === "string" ? { thoughtSignature } : undefined,
  },
];

/** The seal an AI SDK provider left on a part. Without knowing the model it can be kept, but not sent. */
export function readForeignSeal(
  metadata: ProviderMetadata | undefined,
  origin: ForeignOrigin | undefined,
): Seal | undefined {
  for (const place of places) {
    const own = metadata?.[place.key];
    const data = own === undefined ? undefined : place.read(own);
    if (data === undefined) continue;
    const { wire, provider, endpoint } = place;
    const address = origin?.provider === undefined ? { provider, endpoint } : {};
    return { origin: { wire, provider, ...address, ...(origin ?? { model: "unknown" }) }, data };
  }
  return undefined;
}
