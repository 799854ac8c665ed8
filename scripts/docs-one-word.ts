import { compose, resolveModel } from "mull";
import { thinkingFieldsOf } from "mull/wire";
import { code, table } from "./docs-table.ts";

/** A model of each way to ask for thinking: an effort, adaptive with an effort, a level, a budget. */
const refs = [
  "gpt-6-sol/high",
  "claude-opus-5-5/high",
  "gemini-3.8-flash/high",
  "claude-haiku-4-5/high",
];

/** One word of the dial, and what each service is sent for it. */
export const oneWordTable = (): string =>
  table(
    ["you write", "the service is sent"],
    refs.map((ref) => {
      const target = resolveModel(ref);
      const { encoded } = compose(target, {
        level: target.level ?? "auto",
        messages: [{ role: "user", parts: [{ type: "text", text: "…" }] }],
      });
      return [code(ref), code(JSON.stringify(thinkingFieldsOf(encoded.body)))];
    }),
  ).join("\n");
