import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { repairingFetch, type AnyFetch } from "mull/rules";
import { openAISDKTalk } from "./ai-sdk-talk.ts";
import { openMullTalk } from "./mull-talk.ts";
import { probes, type OpenTalk } from "./probes.ts";

/** Tries the promises with every library and writes down what was found; `npm run docs` shows it. */
const peers = new URL("../peers/", import.meta.url);
if (!existsSync(new URL("node_modules", peers))) {
  throw new Error("The other libraries are missing: npm run bench:peers installs them.");
}
const { talks } = (await import(new URL("talks.mjs", peers).href)) as {
  readonly talks: Readonly<Record<string, OpenTalk>>;
};

/** The package whose version stands for the library. */
const packages: Readonly<Record<string, string>> = {
  "AI SDK": "ai",
  "pi-ai": "@earendil-works/pi-ai",
  "TanStack AI": "@tanstack/ai",
  "LangChain.js": "@langchain/core",
};

const versionOf = (name: string): string => {
  const file = new URL(`node_modules/${packages[name]}/package.json`, peers);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
};

const tried = new Date().toISOString().slice(0, 10);
const names = Object.keys(talks);
const libraries = Object.fromEntries(names.map((name) => [name, versionOf(name)]));
const rows = [];
/** What the others send that is refused, and what of it is taken behind the repairing `fetch`. */
const repaired = { refused: 0, taken: 0 };
for (const { what, run } of probes) {
  const found: Record<string, string> = {
    mull: await run(openMullTalk),
    "AI SDK with mull": await run(openAISDKTalk),
  };
  for (const name of names) {
    found[name] = await run(talks[name]!);
    if (!found[name].startsWith("refused")) continue;
    const again = await run(talks[name]!, (fetch) => repairingFetch({ fetch: fetch as AnyFetch }));
    repaired.refused++;
    if (again.startsWith("taken")) repaired.taken++;
    else console.log(`not repaired: ${name}: ${again}`);
  }
  rows.push({ what, found });
  console.log(what, found);
}
console.log(repaired);
writeFileSync(
  new URL("found.json", import.meta.url),
  `${JSON.stringify({ tried, libraries, repaired, rows }, null, 2)}\n`,
);
