import { invalidArgument } from "./error.ts";
import { isJsonObject } from "./json.ts";

/** Refuses a value that is not an object. */
export function requireObject(field: string, value: unknown, allowed: string): void {
  if (!isJsonObject(value)) throw invalidArgument(field, value, allowed);
}

/** Refuses a value that is not a function. */
export function requireFunction(field: string, value: unknown): void {
  if (typeof value !== "function") throw invalidArgument(field, value, "a function");
}

/** Refuses a value that is not an array. */
export function requireList(field: string, value: unknown, allowed: string): void {
  if (!Array.isArray(value)) throw invalidArgument(field, value, allowed);
}
