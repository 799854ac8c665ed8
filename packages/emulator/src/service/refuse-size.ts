import type { WireId } from "mull";

import type { Refusal } from "./service.ts";

/** The most bytes a request may have, if that is known. */
const mostBytes: Partial<Readonly<Record<WireId, number>>> = {
  "anthropic-messages": 32 * 1024 * 1024,
};

/** Texts that stay below the limit at three bytes a character are not encoded to be measured. */
const isLarger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes);

/** The proxy in front of the service looks at the size only. */
export const refuseSize = (wire: WireId, body: string): Refusal | undefined => {
  const most = mostBytes[wire];
  if (most === undefined || !isLarger(body, most)) return undefined;
  return {
    rule: "http/size",
    error: { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" },
  };
};
