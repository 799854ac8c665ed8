import type { JsonObject } from "mull";
import { effortInForce, type Effort, type WireRequest } from "mull/wire";

const efforts: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The request with the effort that its conversation set last. */
export const withEffortInForce = (request: WireRequest, body: JsonObject): WireRequest => {
  const word = effortInForce(body);
  const effort = efforts.find((known) => known === word);
  return effort === undefined ? request : { ...request, thinking: { type: "effort", effort } };
};
