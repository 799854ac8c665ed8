/** Bytes to frames and back, for servers, recorders and tests. */
export { createFraming, type Framing, type FramingOptions } from "./transport/framing.ts";
export { encodeSse } from "./transport/sse.ts";
