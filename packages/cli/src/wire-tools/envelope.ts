import type { Envelope } from "./batch.ts";

/**
 * An envelope is an object that names its wire, path or model beside one of the body fields; a body
 * of a service never does that.
 */
export function asEnvelope(text: string, bodyFields: readonly string[]): Envelope | undefined {
  if (!/^[\uFEFF\s]*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  return isEnvelope(value, bodyFields) ? value : undefined;
}

function isEnvelope(value: unknown, bodyFields: readonly string[]): value is Envelope {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const names = ["wire", "api", "path", "headers", "status"];
  return (
    bodyFields.some((field) => Object.hasOwn(value, field)) &&
    names.some((name) => Object.hasOwn(value, name))
  );
}
