import { isJsonObject } from "mull/wire";
import type { JsonObject, JsonValue, ToolChoice } from "mull";
import type { WireRequest } from "mull/wire";

import { specsOf } from "../brain/tool-specs.ts";
import { listIn, objectIn, textIn } from "./service.ts";

interface Allowed {
  readonly names: readonly string[];
  readonly choice?: ToolChoice;
}

const nameOf = (tool: JsonValue): string => {
  const { name, function: inner, custom } = objectIn(tool);
  return textIn(name ?? objectIn(inner ?? custom)["name"]);
};

const readOpenai = (choice: JsonObject): Allowed | undefined => {
  const named = nameOf(choice);
  if (choice["type"] === "custom" && named !== "")
    return { names: [named], choice: { tool: named } };
  if (choice["type"] !== "allowed_tools") return undefined;
  const allowed = objectIn(choice["allowed_tools"] ?? choice);
  const isForced = allowed["mode"] === "required";
  return {
    names: listIn(allowed["tools"]).map(nameOf),
    choice: isForced ? "required" : "auto",
  };
};

/** The tools the model may choose from, if a request names a subset of those it declares. */
const readAllowed = (
  { tool_choice: choice }: JsonObject,
  request: WireRequest,
): Allowed | undefined => {
  if (isJsonObject(choice)) return readOpenai(choice);
  const calling = objectIn(objectIn(request.extra?.["toolConfig"])["functionCallingConfig"]);
  const names = listIn(calling["allowedFunctionNames"]).map(textIn);
  return names.length === 0 ? undefined : { names };
};

/** The request with only the allowed tools. Clients still declare the full list, because the cache needs it unchanged. */
export const withAllowedTools = (request: WireRequest, body: JsonObject): WireRequest => {
  const allowed = readAllowed(body, request);
  if (allowed === undefined) return request;
  const tools = (request.tools ?? []).filter((tool) =>
    specsOf(tool).some(({ name }) => allowed.names.includes(name)),
  );
  const { choice = request.toolChoice } = allowed;
  return { ...request, tools, ...(choice !== undefined && { toolChoice: choice }) };
};
