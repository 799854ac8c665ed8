import type { Effort, Model, ThinkingTraits } from "../types/model.ts";

export const lowToHigh: readonly Effort[] = ["low", "medium", "high"];
export const lowHighMax: readonly Effort[] = ["low", "high", "max"];

export const plain: ThinkingTraits = { kind: "none" };
export const onOff: ThinkingTraits = { kind: "switch", off: "switch" };
export const alwaysOn: ThinkingTraits = { kind: "switch", off: "never" };
export const effort = (
  efforts: readonly Effort[],
  off: "switch" | "effort-none" | "never",
): ThinkingTraits => ({ kind: "effort", efforts, off });

/** Files are refused, so a text takes their place before a request is sent. */
export const readsText: Partial<Model> = { files: { images: false, pdf: false } };
