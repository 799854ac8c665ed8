import type { VendorTool } from "../../types/tool.ts";

/** Why a vendor's tool is not sent on another wire, for the note `tool-dropped`. */
export const foreignTool = ({ vendor }: VendorTool): string =>
  `a tool that only ${vendor.wire} runs was left out`;
