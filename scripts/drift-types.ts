import { unnamedModels, unnamedWords } from "../test/vendor-words.ts";

/** `npm run drift:types` lists what the installed SDKs name and no table of ours does. */
const found = unnamedWords();
const models = unnamedModels();
for (const [table, word] of found) console.log(`${table}: ${word}`);
for (const id of models) console.log(`model: ${id}`);
console.log(
  `${found.length} events, blocks and reasons and ${models.length} models of the SDKs are not named here`,
);
process.exitCode = found.length > 0 ? 1 : 0;
