import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../packages/cli/src/commands.ts";
import { pages, staleText } from "../scripts/docs-pages.ts";
import { readPackages } from "../scripts/read-exports.ts";
import { drawTerminal } from "../scripts/docs-terminal-picture.ts";

const read = (path: string): string => readFileSync(path, "utf8");

const listMarkdown = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : listMarkdown(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });

const documents: readonly string[] = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...["docs", "examples", "test"].flatMap(listMarkdown),
  ...readdirSync("packages")
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(path)),
];

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```/g, "");

const shellLines = (path: string): readonly string[] =>
  [...read(path).matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

/** As GitHub makes an anchor of a heading. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/** A heading that comes again gets a number. */
const anchorsOf = (path: string): ReadonlySet<string> => {
  const slugs = [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    slug(title!),
  );
  return new Set(
    slugs.map((name, at) => {
      const before = slugs.slice(0, at).filter((other) => other === name).length;
      return before === 0 ? name : `${name}-${before}`;
    }),
  );
};

describe("links", () => {
  test.each(documents)("%s: every link leads somewhere", (path) => {
    const broken = [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const place = file === "" ? path : join(dirname(path), file);
        if (!existsSync(place)) return true;
        return anchor !== undefined && !anchorsOf(place).has(anchor);
      });
    expect(broken).toEqual([]);
  });

  test.each(documents)("%s: every file it names is there", (path) => {
    const missing = [
      ...withoutCode(read(path)).matchAll(
        /`((?:packages|test|scripts|examples|docs|bench)\/[^`\s]+)`/g,
      ),
    ]
      .map(([, name]) => name!)
      .filter((name) => !/[<*…{]/.test(name) && !existsSync(name));
    expect(missing).toEqual([]);
  });
});

describe("generated pages", () => {
  test.each(pages.map(({ path, make }) => ({ path, make })))(
    "$path is what its script writes; npm run docs writes it",
    ({ path, make }) => {
      expect(read(path) === make() ? [] : [staleText(path)]).toEqual([]);
    },
  );

  test("a stale page names the command that writes it, and there is such a command", () => {
    const [, script = ""] = /npm run (\S+)/.exec(staleText("docs/reference/rules.md")) ?? [];
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    expect(scripts[script]).toContain("docs-write");
  });
});

describe("code in documents", () => {
  const entries = new Map(
    readPackages().flatMap((each) => each.entries.map(({ name, exports }) => [name, exports])),
  );

  test.each(documents)("%s: what it imports is exported", (path) => {
    const imports = [
      ...read(path).matchAll(/import (?:type )?\{([^}]+)\} from "((?:@mull\/|mull)[^"]*)"/g),
    ];
    const missing = imports.flatMap(([, names = "", entry = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== "" && entries.get(entry)?.has(name) !== true)
        .map((name) => `${name} of ${entry}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Times, costs and ids differ from run to run; words do not. */
const words = (svg: string): readonly string[] =>
  [...svg.matchAll(/>([^<>\n]+)<\/text>/g)].map(([, text]) =>
    text!
      .replace(/req_\w+/, "req")
      .replace(/~?\d[\d.,]*/g, "0")
      .replace(/\s+/g, " "),
  );

describe("the terminal picture", () => {
  test("shows what the chat shows; npm run docs:pictures draws it", async () => {
    expect(words(read("docs/pictures/terminal.svg"))).toEqual(words(await drawTerminal()));
  });
});

describe("the README", () => {
  const readme = read("README.md");

  test("is under 200 lines, and can be followed from its first screen", () => {
    const lines = readme.split("\n");
    expect(lines.length).toBeLessThan(200);
    expect(lines.findIndex((line) => line.startsWith("npm ci && npm start"))).toBeLessThan(20);
  });

  test("has no TypeScript that is not an example", () => {
    const blocks = [...readme.matchAll(/```ts\n/g)].length;
    const examples = [...readme.matchAll(/<!-- example: [a-z/-]+ -->\n```ts\n/g)].length;
    expect(blocks).toBeGreaterThan(0);
    expect(examples).toBe(blocks);
  });

  test("names every package, and the page of the examples every example", () => {
    const listed = read("examples/README.md");
    const examples = readdirSync("examples").filter((name) => !/\.(md|json)$/.test(name));
    expect(examples.filter((name) => !listed.includes(`](${name})`))).toEqual([]);
    for (const folder of readdirSync("packages")) {
      expect(readme).toContain(`](packages/${folder})`);
    }
  });
});

describe("commands", () => {
  const scripts = (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts;
  const known = new Map(commands.map((command) => [command.name, command]));

  test.each(documents)("%s: npm scripts and test paths exist", (path) => {
    const text = read(path);
    const wanted = [...text.matchAll(/\bnpm run ([a-z:-]+)/g)].map(([, name]) => name!);
    expect(wanted.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const tested = [...text.matchAll(/\bvitest run ((?:packages|test)[^\s`]*)/g)].map(
      ([, at]) => at!,
    );
    expect(tested.filter((place) => !existsSync(place))).toEqual([]);
  });

  test.each(documents)("%s: mull commands and their options exist", (path) => {
    const wrong = shellLines(path)
      .map((line) => line.replace(/^(?:[A-Z_]+=\S+ )+/, ""))
      .filter((line) => /^mull [a-z]/.test(line))
      .filter((line) => {
        const command = known.get(line.split(" ")[1]!);
        if (command === undefined) return true;
        const options = [...line.matchAll(/(?<=\s)--([a-z-]+)/g)].map(([, name]) => name!);
        return options.some((name) => !Object.hasOwn(command.options, name));
      });
    expect(wrong).toEqual([]);
  });
});
