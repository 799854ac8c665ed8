import type { Wire } from "../../types/wire.ts";
import { decodeStream } from "./client/decode-stream.ts";
import { encode } from "./client/encode.ts";
import { decodeError } from "./client/error.ts";

/** The wire of Google's `generateContent`: the Gemini API, Vertex AI and compatible services. */
export const googleGenerate: Wire = {
  id: "google-generate",
  encode,
  decodeStream,
  decodeError,
};
