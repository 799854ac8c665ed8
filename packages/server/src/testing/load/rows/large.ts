import type { Stage } from "../children.ts";
import { call, newConversation, streamOf } from "../client.ts";
import { dataFolder } from "../data-folder.ts";
import { ms, type Line, type Row } from "../row.ts";

/** Just under the limit for a body. */
const question = 9_000_000;
const answer = 8_000_000;

const lineOf = (measure: string, block: number): Line => ({
  measure,
  mull: ms(block),
  beside: "",
  ratio: "",
  target: "≤ 100 ms",
  holds: block <= 100,
});

/** The largest question and a large answer, one at a time; the event loop shows what they block. */
async function run(stage: Stage): Promise<readonly Line[]> {
  const upstream = (await stage.start({ kind: "upstream" })).port;
  const mull = await stage.start({ kind: "mull", upstream, data: await dataFolder() });
  const blockOf = async (characters: number, padding: number): Promise<number> => {
    await mull.read();
    const script = { kind: "large", characters } as const;
    const answered = await call(mull, streamOf(mull, script, newConversation(), padding));
    if (!answered.text.endsWith("[DONE]\n\n")) throw new Error(`${answered.status}: not whole`);
    return (await mull.read()).longestBlock;
  };
  await blockOf(10_000, 0);
  return [
    lineOf("longest block, question of 9 MB", await blockOf(10_000, question)),
    lineOf("longest block, answer of 8 MB", await blockOf(answer, 0)),
  ];
}

export const large: Row = { name: "large", run };
