import type { BatchLine } from "./batch.ts";

/**
 * An envelope is an object that names its wire, path or model beside one of the body fields; a body
 * of a service never does that.
 */
export function asEnvelope(text: string, bodyFields: readonly string[]): BatchLine | undefined {
  if (!/^[\uFEFF\s]*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  return isEnvelope(value, bodyFields) ? value : undefined;
}

function isEnvelope(value: unknown, bodyFields: readonly string[]): value is BatchLine {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const names = ["wire", "api", "path", "headers", "status"];
  return (
    bodyFields.some((field) => Object.hasOwn(value, field)) &&
    names.some((name) => Object.hasOwn(value, name))
  );
}

/**
 * Logs often keep request and response apart: `{api, stream, request: {…}, response: {…}}`. The
 * side asked for is lifted up, in the names envelopes use.
 */
export function liftSide(envelope: BatchLine, side: "request" | "response"): BatchLine {
  const inner = envelope[side];
  if (typeof inner !== "object" || inner === null || hasBody(envelope)) return envelope;
  const { url_path: urlPath, ...fields } = inner as BatchLine;
  return { ...envelope, ...(urlPath !== undefined && { path: urlPath }), ...fields };
}

const hasBody = (envelope: BatchLine): boolean =>
  envelope["body"] !== undefined || envelope["body_text"] !== undefined;
