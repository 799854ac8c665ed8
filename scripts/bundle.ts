import { readFile, writeFile } from "node:fs/promises";
import { rolldown } from "rolldown";
import { transformSync } from "rolldown/experimental";
import { parseSync, Visitor } from "rolldown/utils";
import { lateModules } from "./late-modules.ts";

/**
 * Gives the library's main entry two forms. For Node one file: it spends half a millisecond on
 * every module it loads, and a program should not wait for two hundred. For bundlers the list of
 * modules, so that what a program does not use falls away. Another folder can be named.
 */
const source = "packages/mull/src/index.ts";
const folder = process.argv[2] ?? "packages/mull/dist";

const bundle = await rolldown({
  input: source,
  platform: "neutral",
  logLevel: "warn",
  // A third of the library, of which a program needs what one service insists on.
  plugins: [lateModules((id) => /\/wire\/[^/]+\/rules\.ts$/.test(id))],
});
await bundle.write({
  file: `${folder}/index.js`,
  format: "esm",
  sourcemap: true,
  sourcemapExcludeSources: true, // they are in the package
  codeSplitting: false,
  minify: {
    mangle: { keepNames: { function: false, class: true } },
    compress: { keepNames: { function: false, class: true } },
    codegen: { removeWhitespace: true },
  },
});
await bundle.close();
await writeFile(`${folder}/index.js`, quoteTexts(await readFile(`${folder}/index.js`, "utf8")));

/**
 * The minifier writes texts between backticks, and V8 takes a tenth longer to read a file with
 * thousands of them. Only what keeps its length gets quotes, so that the source map stays true.
 */
function quoteTexts(minified: string): string {
  const backticks: number[] = [];
  const tagged = new Set<number>();
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => tagged.add(quasi.start),
    TemplateLiteral: ({ start, end, expressions }) => {
      const text = minified.slice(start + 1, end - 1);
      const fits = expressions.length === 0 && !/["\\\n]/.test(text);
      if (fits && !tagged.has(start)) backticks.push(start, end - 1);
    },
  }).visit(parseSync("index.js", minified).program);
  const characters = minified.split("");
  for (const at of backticks) characters[at] = '"';
  return characters.join("");
}

const { code } = transformSync("index.ts", await readFile(source, "utf8"));
await writeFile(`${folder}/modules.js`, code.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
