import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { rolldown, RolldownMagicString, type Plugin } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

/**
 * Builds every entry of the library in one go, with shared chunks. Two hundred small files would
 * take Node 100 ms to load, and entries built one by one would each bring their own `MullError`,
 * which no `instanceof` in the other entry recognises. Another output folder can be named.
 */
const folder = process.argv[2] ?? "packages/mull/dist";

const { exports } = JSON.parse(await readFile("packages/mull/package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly "@mull/source": string }>>;
};

/** What a bundler keeps although nobody uses it: `{ ...one }` and `[one.two]` might call a getter, `"a" in b` a trap. */
const seemsToAct = (type: string, text: string): boolean =>
  type === "BinaryExpression" ||
  type === "ConditionalExpression" ||
  ((type === "ObjectExpression" || type === "ArrayExpression") && /\.{3}|\w\.\w/.test(text));

/**
 * Marks what is computed while a module loads, so that a user's bundler can drop it where it is not
 * used. Our modules have no side effects, but bundlers only believe that of whole files: without the
 * marks, one used function would keep every `const x = makeTable(…)` and `const y = { ...x }` of its chunk.
 */
const markPure: Plugin = {
  name: "mark-pure",
  transform: {
    filter: { id: /\/packages\/mull\/src\/.*\.ts$/ },
    handler(code, id) {
      const marked = new RolldownMagicString(code);
      let functions = 0;
      const enter = (): void => void functions++;
      const leave = (): void => void functions--;
      const mark = ({ start }: { readonly start: number }): void => {
        if (functions === 0) marked.appendLeft(start, "/* @__PURE__ */ ");
      };
      new Visitor({
        FunctionDeclaration: enter,
        "FunctionDeclaration:exit": leave,
        FunctionExpression: enter,
        "FunctionExpression:exit": leave,
        ArrowFunctionExpression: enter,
        "ArrowFunctionExpression:exit": leave,
        CallExpression: mark,
        NewExpression: mark,
        VariableDeclarator: ({ init }) => {
          if (functions > 0 || init === null) return;
          const { type, start, end } = init.type === "TSAsExpression" ? init.expression : init;
          if (!seemsToAct(type, code.slice(start, end))) return;
          marked.appendLeft(init.start, "/* @__PURE__ */ (() => (");
          marked.appendRight(init.end, "))()");
        },
      }).visit(parseSync(id, code).program);
      return { code: marked };
    },
  },
};

/** Few chunks, since Node spends about a millisecond on each file; what is alone in an entry stays there. */
const chunks: readonly (readonly [name: string, holds: RegExp])[] = [
  [
    "base",
    /\/src\/(?:types|transport|wire\/common)\/(?!rules)|\/(?:call-id|look-up|on-wire|traits|vendor|provider-of)\.ts/,
  ],
  ["anthropic", /\/wire\/anthropic-messages\/(?!rules)|\/(?:vendors|providers)\/anthropic\.ts/],
  ["google", /\/wire\/google-generate\/(?!rules)|\/(?:vendors|providers)\/google\.ts/],
  ["openai", /\/wire\/openai-\w+\/(?!rules)|\/(?:vendors|providers)\/openai[^/]*\.ts/],
  ["mull", /\/src\//],
];

const bundle = await rolldown({
  input: Object.values(exports).map((entry) => `packages/mull/${entry["@mull/source"]}`),
  platform: "neutral",
  external: /^node:/,
  logLevel: "warn",
  plugins: [markPure],
});
// Files of an earlier build would be published with this one.
for (const path of await readdir(folder, { recursive: true }).catch(() => []))
  if (/\.js(?:\.map)?$/.test(path)) await rm(join(folder, path));
await bundle.write({
  dir: folder,
  format: "esm",
  sourcemap: true,
  sourcemapExcludeSources: true, // the package ships them
  chunkFileNames: "chunks/[name].js",
  codeSplitting: {
    groups: chunks.map(([name, test], at) => ({
      name,
      test,
      priority: chunks.length - at,
      minShareCount: 2,
    })),
  },
});
await bundle.close();
