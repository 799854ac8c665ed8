import type { JsonObject } from "../../types/json.ts";
import type { Seal, WireExtra, WireId } from "../../types/message.ts";
import { hasKeys } from "./json-reading.ts";

/** Fields that mull does not model, kept for the wire they came over. */
export const extraFor = (wire: WireId, fields: JsonObject): { readonly extra?: WireExtra } =>
  hasKeys(fields) ? { extra: { wire, fields } } : {};

/** The fields that came over this wire. Those of other wires are ignored. */
export const extraOn = (
  wire: WireId,
  { extra }: { readonly extra?: WireExtra },
): JsonObject | undefined => (extra?.wire === wire ? extra.fields : undefined);

/** The data of a seal that this wire made. Seals of other wires are ignored. */
export const sealedOn = (wire: WireId, { seal }: { readonly seal?: Seal }): JsonObject =>
  seal?.origin.wire === wire ? seal.data : unsealed;

const unsealed: JsonObject = {};
