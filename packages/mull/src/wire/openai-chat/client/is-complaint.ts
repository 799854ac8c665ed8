import type { JsonObject, JsonValue } from "../../../types/json.ts";
import { asObject } from "../../common/json-reading.ts";

/** Whether a body is an error in place of an answer. */
export const isComplaint = ({ error, object, base_resp }: JsonObject): boolean =>
  isSomething(error) || object === "error" || Number(asObject(base_resp)["status_code"] ?? 0) !== 0;

const isSomething = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== null && value !== "";
