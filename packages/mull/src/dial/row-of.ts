import { findModel } from "../catalogue/find-model.ts";
import { invalidArgument } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Level } from "../types/level.ts";
import type { Model } from "../types/model.ts";
import { parseModelRef } from "./ref.ts";

/** The model's row for a row, an id or a ref, and the level of a ref. */
export function rowOf(model: Model | string): { readonly model: Model; readonly level?: Level } {
  if (typeof model !== "string") return { model: checkRow(model) };
  const { provider, name, level } = parseModelRef(model);
  return {
    model: findModel(name, provider === undefined ? {} : { provider }),
    ...(level !== undefined && { level }),
  };
}

function checkRow(model: Model): Model {
  if (isJsonObject(model) && isJsonObject(model.thinking)) return model;
  throw invalidArgument("model", model, "an id such as claude-opus-5-5, or what findModel returns");
}
