import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { findModuleState } from "./module-state.ts";
import { trackedFiles } from "./tracked-files.ts";

const root = join(import.meta.dirname, "..");

const names = (text: string | undefined): string[] =>
  [...(text ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

/** The rows of a Markdown table whose first header cell is `first`: name → names in the last column. */
function readTable(first: string): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${first} |`));
  const rows = new Map<string, readonly string[]>();
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    const cells = line.split("|").map((cell) => cell.trim());
    rows.set(names(cells[1])[0]!, names(cells[3]));
  }
  return rows;
}

const packages = readTable("package");
const folders = readTable("folder");

function listSources(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === "node_modules" || name === "dist") return [];
    if (statSync(path).isDirectory()) return listSources(path);
    return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) ? [path] : [];
  });
}

const importsOf = (path: string): readonly string[] =>
  [
    ...readFileSync(path, "utf8").matchAll(
      /^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3]!);

describe("packages import downwards only", () => {
  test("every package is in the table of ARCHITECTURE.md", () => {
    expect(readdirSync(join(root, "packages")).toSorted()).toEqual([...packages.keys()].toSorted());
  });

  test.each([...packages])("%s imports only what the table allows", (name, allowed) => {
    const scoped = new Set(allowed.map((other) => (other === "mull" ? "mull" : `@mull/${other}`)));
    const wrong = listSources(join(root, "packages", name, "src")).flatMap((path) =>
      importsOf(path)
        .filter((specifier) => /^(?:@mull\/|mull(?:\/|$))/.test(specifier))
        .filter((specifier) => {
          const target = specifier.startsWith("@")
            ? specifier.split("/").slice(0, 2).join("/")
            : "mull";
          return !scoped.has(target) && target !== (name === "mull" ? "mull" : `@mull/${name}`);
        })
        .map((specifier) => `${relative(root, path)} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("dependencies", () => {
  test("what packages bring along is in the table of ARCHITECTURE.md, and nothing else is", () => {
    const brought = [...packages.keys()].flatMap((name) => {
      const path = join(root, "packages", name, "package.json");
      const { dependencies = {} } = JSON.parse(readFileSync(path, "utf8")) as {
        readonly dependencies?: Readonly<Record<string, string>>;
      };
      const foreign = Object.keys(dependencies).filter((other) => !/^(@mull\/|mull$)/.test(other));
      return foreign.map((other) => `${other} by ${name}`);
    });
    const told = [...readTable("brings")].flatMap(([other, users]) =>
      users.map((name) => `${other} by ${name}`),
    );
    expect(told.toSorted()).toEqual(brought.toSorted());
  });
});

/** Names in the first column of every table that begins with `place`. */
const places = new Set(
  [
    ...readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(
      /^\| `([a-z/-]+)` \| [^|]+ \|$/gm,
    ),
  ].map(([, place]) => place!),
);

test("every folder has its line in ARCHITECTURE.md, and every line its folder", () => {
  const kept = trackedFiles(root);
  const inPackages = kept.flatMap((path) => {
    const [, name, folder] = /^packages\/([^/]+)\/src\/([^/]+)\//.exec(path) ?? [];
    return name === undefined || name === "mull" || folder === "testing"
      ? []
      : [`${name}/${folder}`];
  });
  const beside = kept.flatMap((path) => /^([a-z]+)\//.exec(path)?.[1] ?? []);
  const found = new Set([...inPackages, ...beside.filter((folder) => folder !== "packages")]);
  expect([...places].toSorted()).toEqual([...found].toSorted());
});

test("no module keeps state: what lasts between calls has an owner", () => {
  const sources = [...packages.keys()]
    .flatMap((name) => listSources(join(root, "packages", name, "src")))
    .filter((path) => !path.split(sep).includes("testing"));
  const found = sources.flatMap((path) =>
    findModuleState(readFileSync(path, "utf8"), path.endsWith("x") ? "tsx" : "ts").map(
      (name) => `${relative(root, path)}: ${name}`,
    ),
  );
  expect(found).toEqual([]);
}, 60_000);

test("at most five values in the tree are cast past what their types say", () => {
  const twice = ["as", "unknown", "as"].join(" ");
  const found = trackedFiles(root)
    .filter((path) => /\.(?:ts|tsx|mts|js|mjs)$/.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .filter((line) => line.includes(twice))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found.slice(5)).toEqual([]);
});

describe("folders of the library import downwards only", () => {
  const source = join(root, "packages/mull/src");
  const unitOf = (path: string): string => relative(source, path).split(sep)[0]!;

  test("every folder is in the table of ARCHITECTURE.md", () => {
    const found = readdirSync(source).filter((name) => statSync(join(source, name)).isDirectory());
    expect(found.toSorted()).toEqual([...folders.keys()].toSorted());
  });

  test.each([...folders])("%s imports only what the table allows", (folder, allowed) => {
    const wrong = listSources(join(source, folder)).flatMap((path) =>
      importsOf(path)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => unitOf(join(dirname(path), specifier)))
        .filter((unit) => unit !== folder && !allowed.includes(unit))
        .map((unit) => `${relative(root, path)} imports ${unit}`),
    );
    expect(wrong).toEqual([]);
  });

  test("a wire never imports another wire", () => {
    const wrong = listSources(join(source, "wire")).flatMap((path) => {
      const own = relative(join(source, "wire"), path).split(sep);
      // The registries that stand beside the wires name all of them.
      if (own.length === 1) return [];
      return importsOf(path)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) =>
          relative(join(source, "wire"), join(dirname(path), specifier)).split(sep),
        )
        .filter((target) => target[0] !== ".." && target[0] !== own[0] && target[0] !== "common")
        .map((target) => `${relative(root, path)} imports ${target.join("/")}`);
    });
    expect(wrong).toEqual([]);
  });

  test("every wire has the same rooms: client, service, rules", () => {
    for (const wire of readdirSync(join(source, "wire")).filter(
      (name) => name !== "common" && !name.endsWith(".ts"),
    )) {
      for (const needed of [
        "index.ts",
        "traits.ts",
        "client/encode.ts",
        "client/decode.ts",
        "client/decode-stream.ts",
        "service/mirror.ts",
        "service/read-request.ts",
        "service/write-reply.ts",
        "rules/index.ts",
      ]) {
        expect(existsSync(join(source, "wire", wire, needed)), `${wire} needs ${needed}`).toBe(
          true,
        );
      }
    }
  });

  test("at most ten wire ids stand outside the wires, the catalogue and the vendors", () => {
    const literals = listSources(source)
      .filter((path) => !/[/\\](?:wire|catalogue|providers|vendors|testing)[/\\]/.test(path))
      .flatMap((path) =>
        [
          ...readFileSync(path, "utf8").matchAll(
            /"(?:anthropic-messages|openai-responses|openai-chat|google-generate)"/g,
          ),
        ].map(([id]) => `${relative(root, path)}: ${id}`),
      );
    expect(literals.slice(10)).toEqual([]);
  });

  test("the library imports no node: module and no package", () => {
    const wrong = listSources(source).flatMap((path) =>
      importsOf(path)
        .filter((specifier) => !specifier.startsWith("."))
        .map((specifier) => `${relative(root, path)} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });
});
