import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

const pages: readonly string[] = [
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !/^(?:spec|reference\/api)\//.test(name))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`),
];

/** Files of `examples/` are checked where they are; what is indented is a piece of the block before it. */
const blocksOf = (page: string): readonly string[] =>
  [...page.matchAll(/(<!-- example: \S+ -->\n)?```ts\n([^]*?)```/g)]
    .filter(([, isExample]) => isExample === undefined)
    .map(([, , code = ""]) => code)
    .filter((code) => !code.startsWith(" "));

/** What the text around a block has made already, and a file that it says to write. */
const known = `
declare global {
  const agent: import("mull").Agent;
  type Model = import("mull").Model;
}
export {};
`;
const acme = `export declare const acme: import("mull").Provider;\n`;

// In `node_modules`, from where the packages are found.
const folder = mkdtempSync(join(root, "node_modules/.document-code-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("R228, every TypeScript block of the documents compiles", () => {
  const files = pages.flatMap((page) =>
    blocksOf(readFileSync(join(root, page), "utf8")).map((code, index) => {
      const name = `${page.replaceAll("/", "_")}_${index + 1}.ts`;
      writeFileSync(join(folder, name), `${code}\nexport {};\n`);
      return name;
    }),
  );
  expect(files.length).toBeGreaterThan(10);
  writeFileSync(join(folder, "known.d.ts"), known);
  writeFileSync(join(folder, "acme.ts"), acme);
  const settings = {
    extends: "../../tsconfig.check.json",
    // A vendor's file stands beside the others.
    compilerOptions: { rootDirs: [".", "../../packages/mull/src/vendors"] },
    include: [],
    files: [...files, "known.d.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  let faults = "";
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  } catch (error) {
    faults = (error as { readonly stdout: string }).stdout;
  }
  expect(faults).toBe("");
}, 150_000);
