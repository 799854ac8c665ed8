import { readFile, writeFile } from "node:fs/promises";
import { rolldown } from "rolldown";
import { transformSync } from "rolldown/experimental";

/**
 * Gives the library's main entry two forms. For Node one file: it spends half a millisecond on
 * every module it loads, and a program should not wait for two hundred. For bundlers the list of
 * modules, so that what a program does not use falls away. Another folder can be named.
 */
const source = "packages/mull/src/index.ts";
const folder = process.argv[2] ?? "packages/mull/dist";

const bundle = await rolldown({ input: source, platform: "neutral", logLevel: "warn" });
await bundle.write({
  file: `${folder}/index.js`,
  format: "esm",
  sourcemap: true,
  codeSplitting: false,
  minify: {
    mangle: { keepNames: { function: false, class: true } },
    compress: { keepNames: { function: false, class: true } },
    codegen: { removeWhitespace: true },
  },
});
await bundle.close();

const { code } = transformSync("index.ts", await readFile(source, "utf8"));
await writeFile(`${folder}/modules.js`, code.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
