import { resolve } from "node:path";
import { rolldown, type Plugin } from "rolldown";

/**
 * Puts modules with what they import into functions that run when they are first called. V8 only skims
 * the inside of a function until then, which takes half as long as what it does with a module.
 */
export const lateModules = (isLate: (id: string) => boolean): Plugin => ({
  name: "late-modules",
  load: (id) => (isLate(id) ? wrap(id) : null),
});

async function wrap(id: string): Promise<{ code: string; map: string; moduleType: "js" }> {
  const bundle = await rolldown({ input: id, platform: "neutral", logLevel: "warn" });
  const { output } = await bundle.generate({
    format: "esm",
    sourcemap: true,
    codeSplitting: false,
  });
  await bundle.close();
  const [{ code, exports, map }] = output;
  const [name] = exports;
  const [before, after] = code.split(`export { ${name} };`);
  if (exports.length !== 1 || map === null || after === undefined)
    throw new Error(`${id}: a module that is run late has one export, which is a function.`);
  return {
    code: [
      "function run() {",
      `${before}return ${name};`,
      "}",
      `export const ${name} = (...given) => run()(...given);`,
    ].join("\n"),
    map: JSON.stringify({
      ...map,
      sources: map.sources.map((source) => resolve("dist", source)),
      // One line stands in front.
      mappings: `;${map.mappings}`,
    }),
    moduleType: "js",
  };
}
