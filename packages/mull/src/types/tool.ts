import type { JsonObject } from "./json.ts";
import type { WireExtra } from "./message.ts";

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input. */
  readonly inputSchema: JsonObject;
  readonly strict?: boolean;
  readonly extra?: WireExtra;
}

/** A tool the vendor runs itself, passed through verbatim on its own wire. */
export interface VendorTool {
  readonly vendor: WireExtra;
}

export type AnyTool = ToolSpec | VendorTool;

/** An agent makes its model call until the first results are in; from then on the model chooses. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

export const isToolSpec = (tool: AnyTool): tool is ToolSpec => "inputSchema" in tool;
