import type { VendorTool } from "../../types/tool.ts";

/** Why a tool is not sent, for the note `tool-dropped`. */
export const foreignTool = ({ vendor }: VendorTool): string =>
  `a tool that only ${vendor.wire} runs was left out`;
