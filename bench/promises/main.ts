import { existsSync, readFileSync, writeFileSync } from "node:fs";
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

const names = Object.keys(talks);
const libraries = Object.fromEntries(names.map((name) => [name, versionOf(name)]));
const rows = [];
for (const { what, run } of probes) {
  const found: Record<string, string> = { mull: await run(openMullTalk) };
  for (const name of names) found[name] = await run(talks[name]!);
  rows.push({ what, found });
  console.log(what, found);
}
writeFileSync(
  new URL("found.json", import.meta.url),
  `${JSON.stringify({ libraries, rows }, null, 2)}\n`,
);
