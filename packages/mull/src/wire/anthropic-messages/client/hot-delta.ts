import { endOfJsonString, valueOfJsonString } from "../../common/json-string.ts";

export type DeltaKind = "text" | "thinking" | "json";

export interface HotDelta {
  kind: DeltaKind;
  index: number;
  text: string;
}

const head =
  /^\{"type":"content_block_delta","index":(0|[1-9]\d{0,8}),"delta":\{"type":"(?:(text)_delta","text|(thinking)_delta","thinking|input_(json)_delta","partial_json)":"/;

/**
 * Cuts deltas out of their frames without parsing them, where a frame is written exactly as the
 * service writes it. `undefined` on any deviation: the frame is then parsed. Deltas come in runs, so
 * the head of the last one is tried first. What is returned is valid until the next call.
 */
export function createDeltaReader(): (data: string) => Readonly<HotDelta> | undefined {
  const delta: HotDelta = { kind: "text", index: 0, text: "" };
  let prefix = "";

  const learn = (data: string): boolean => {
    const match = head.exec(data);
    if (match === null) return false;
    prefix = match[0];
    delta.index = Number(match[1]);
    delta.kind = match[2] ? "text" : match[3] ? "thinking" : "json";
    return true;
  };

  return (data) => {
    // Comparing a slice is several times faster than `startsWith`.
    const fits = prefix !== "" && data.slice(0, prefix.length) === prefix;
    if (!fits && !learn(data)) return undefined;
    const end = endOfJsonString(data, prefix.length);
    const text = end > 0 && closes(data, end) && valueOfJsonString(data, prefix.length, end);
    if (typeof text !== "string") return undefined;
    delta.text = text;
    return delta;
  };
}

/** Two closing braces and nothing else; the service pads with spaces between them. */
function closes(data: string, from: number): boolean {
  if (data.charCodeAt(from) !== 125) return false;
  let at = from + 1;
  while (data.charCodeAt(at) === 32) at++;
  return data.charCodeAt(at) === 125 && at === data.length - 1;
}
