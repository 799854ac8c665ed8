import type { JsonObject, WireId } from "mull";

/** A request as the inspector shows it. */
export interface ShownRequest {
  readonly path: string;
  readonly body: JsonObject;
  readonly wire: WireId;
  readonly model: string;
  readonly level: string;
}

const hosts: Readonly<Record<WireId, { readonly base: string; readonly key: string }>> = {
  "anthropic-messages": {
    base: "ANTHROPIC_BASE_URL:-https://api.anthropic.com",
    key: "x-api-key: $ANTHROPIC_API_KEY",
  },
  "openai-responses": {
    base: "OPENAI_BASE_URL:-https://api.openai.com/v1",
    key: "authorization: Bearer $OPENAI_API_KEY",
  },
  "openai-chat": {
    base: "OPENAI_BASE_URL:-https://api.openai.com/v1",
    key: "authorization: Bearer $OPENAI_API_KEY",
  },
  "google-generate": {
    base: "GOOGLE_BASE_URL:-https://generativelanguage.googleapis.com",
    key: "x-goog-api-key: $GOOGLE_API_KEY",
  },
};

/** Single quotes keep a shell from reading anything inside. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a command. The key stays a variable of the reader's own shell. */
export function asCurl({ path, body, wire }: ShownRequest): string {
  const { base, key } = hosts[wire];
  const version = wire === "anthropic-messages" ? [`  -H 'anthropic-version: 2023-06-01' \\`] : [];
  return [
    `curl "\${${base}}${path}" \\`,
    `  -H 'content-type: application/json' \\`,
    `  -H "${key}" \\`,
    ...version,
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join("\n");
}

/** The request as a test that the linter finds nothing in it. */
export const asTest = ({ path, body, wire, model, level }: ShownRequest): string =>
  [
    `import { findModel, lint } from "mull";`,
    `import { expect, it } from "vitest";`,
    ``,
    `it(${JSON.stringify(`${model}/${level} takes this request`)}, () => {`,
    `  const body = ${JSON.stringify(body, undefined, 2).replaceAll("\n", "\n  ")};`,
    `  const report = lint({ wire: ${JSON.stringify(wire)}, path: ${JSON.stringify(path)}, headers: {}, model: findModel(${JSON.stringify(model)}), body });`,
    `  expect(report.findings).toEqual([]);`,
    `});`,
    ``,
  ].join("\n");
