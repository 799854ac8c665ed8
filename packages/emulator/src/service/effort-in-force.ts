import type { JsonObject } from "mull";
import type { Effort, WireRequest } from "mull/wire";

import { listIn, objectIn, textIn } from "./service.ts";

const efforts: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The word in an entry of the conversation that changes the effort, e.g. `{"type":"configuration_update","reasoning":{"effort":"low"}}`. */
const wordIn = (entry: JsonObject): string => {
  if (entry["type"] === "configuration_update")
    return textIn(objectIn(entry["reasoning"])["effort"]);
  return entry["role"] === "system" ? textIn(objectIn(entry["output_config"])["effort"]) : "";
};

/** The effort that the conversation itself set last: it holds until the next, over that of the request. */
export const effortInForce = (body: JsonObject): Effort | undefined => {
  const words = [...listIn(body["input"]), ...listIn(body["messages"])].map((entry) =>
    wordIn(objectIn(entry)),
  );
  const last = words.findLast((word) => word !== "");
  return efforts.find((effort) => effort === last);
};

/** The request with the effort that is in force. */
export const withEffortInForce = (request: WireRequest, body: JsonObject): WireRequest => {
  const effort = effortInForce(body);
  return effort === undefined ? request : { ...request, thinking: { type: "effort", effort } };
};
