import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";

const source = join(import.meta.dirname, "../packages/mull/src");
/** Files of the folder that aren't vendors. */
const words = new Set("dialects index look-up makers on-wire open-models traits vendor".split(" "));

/** The vendors whose files end up in a bundle of these imports. */
async function vendorsIn(code: string): Promise<readonly string[]> {
  const entry = join(source, "bundled.ts");
  const bundle = await rolldown({
    input: entry,
    platform: "neutral",
    treeshake: { moduleSideEffects: false },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm" });
  const files = Object.entries(output[0].modules)
    .filter(
      ([file, { renderedLength }]) =>
        file.startsWith(join(source, "vendors")) && renderedLength > 0,
    )
    .map(([file]) => basename(file, ".ts"));
  return files.filter((name) => !words.has(name)).toSorted();
}

describe("a bundle holds the models of the vendors it asks", () => {
  test.each([
    ["mull/anthropic", 'export { anthropic } from "./anthropic.ts";', ["anthropic"]],
    ["mull/google", 'export { google } from "./google.ts";', ["google"]],
    [
      "mull/openai",
      'export { openai, openaiChatProvider } from "./openai.ts";',
      ["openai", "openai-chat"],
    ],
    [
      "an agent of mull/core with one vendor",
      'export { Agent, targetOf, tool } from "./core.ts"; export { google } from "./google.ts";',
      ["google"],
    ],
    ["mull/core alone", 'export { Agent, openChat } from "./core.ts";', []],
    ["mull/lean", 'export { streamTurn } from "./lean.ts";', []],
  ])("%s", async (_, code, vendors) => {
    expect(await vendorsIn(code)).toEqual(vendors);
  });

  test("mull holds them all", async () => {
    expect(await vendorsIn('export { Agent } from "./index.ts";')).toHaveLength(20);
  });
});
