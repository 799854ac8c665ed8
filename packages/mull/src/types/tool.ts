import type { JsonObject } from "./json.ts";
import type { WireExtra } from "./message.ts";

/** A tool as the model sees it: name, description and input schema. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input. */
  readonly inputSchema: JsonObject;
  readonly strict?: boolean;
  readonly extra?: WireExtra;
}

/** A tool that the vendor runs. It is sent unchanged, on its own wire only. */
export interface VendorTool {
  readonly vendor: WireExtra;
}

/** A tool of the program or a tool that the vendor runs. */
export type AnyTool = ToolSpec | VendorTool;

/** Which tools the model may or must call. An agent forces a call only until the first results are in. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

export const isToolSpec = (tool: AnyTool): tool is ToolSpec => "inputSchema" in tool;
