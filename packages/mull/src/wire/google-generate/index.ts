import type { Wire } from "../../types/wire.ts";
import { decode } from "./decode.ts";
import { decodeStream } from "./decode-stream.ts";
import { encode } from "./encode.ts";
import { decodeError } from "./error.ts";

/** Google's `generateContent`: the Gemini API, Vertex AI and what speaks like them. */
export const googleGenerate: Wire = {
  id: "google-generate",
  encode,
  decode,
  decodeStream,
  decodeError,
};
