import { invalidArgument } from "./error.ts";
import { isJsonObject } from "./json.ts";

/** Refuses what is no object in words, where the program would stop at a field of `undefined`. */
export function requireObject(field: string, value: unknown, allowed: string): void {
  if (!isJsonObject(value)) throw invalidArgument(field, value, allowed);
}

/** The same for what is to be called. */
export function requireFunction(field: string, value: unknown): void {
  if (typeof value !== "function") throw invalidArgument(field, value, "a function");
}

export function requireList(field: string, value: unknown, allowed: string): void {
  if (!Array.isArray(value)) throw invalidArgument(field, value, allowed);
}
