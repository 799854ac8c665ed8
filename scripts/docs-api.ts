import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { code } from "./docs-table.ts";

/** Entry points in the order people meet them; the page is no library and has none. */
const packageNames = ["mull", "ui-messages", "emulator", "vcr", "store", "server", "cli"] as const;

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, { readonly types?: string } | string>>;
}

interface Declaration {
  readonly name: string;
  readonly isExported: boolean;
  readonly comment: string;
  readonly text: string;
}

const declared =
  /^(export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type) ([A-Za-z_$][\w$]*)/;

/** The top-level declarations of a `.d.ts` as the compiler writes it: each begins at column 0. */
const readDeclarations = (text: string): readonly Declaration[] => {
  const found: Declaration[] = [];
  let comment: string[] = [];
  let isComment = false;
  let body: string[] = [];
  const flush = (): void => {
    const [first = ""] = body;
    const match = declared.exec(first);
    if (match !== null) {
      found.push({
        name: match[2]!,
        isExported: match[1] !== undefined,
        comment: comment.join("\n"),
        text: body.join("\n"),
      });
    }
    if (body.length > 0) comment = [];
    body = [];
  };
  for (const line of text.split("\n")) {
    if (isComment || line.startsWith("/**")) {
      if (!isComment) flush();
      comment = isComment ? [...comment, line] : [line];
      isComment = !line.includes("*/");
      continue;
    }
    if (/^[a-z]/i.test(line)) flush();
    if (!line.startsWith("//#")) body.push(line);
  }
  flush();
  return found;
};

const asTypes = (path: string): string => path.replace(/\.(ts|js)$/, ".d.ts");

/** The declaration behind an exported name, through any number of re-exports. */
const findDeclaration = (
  file: string,
  name: string,
  entry: ReadonlySet<string>,
): readonly Declaration[] => {
  const text = readFileSync(file, "utf8");
  const own = readDeclarations(text);
  const hits = own.filter((declaration) => declaration.name === name);
  if (hits.length > 0) {
    const shown = [...hits, ...hiddenParts(hits, own)];
    return [...shown, ...pickedParts(file, text, shown, entry)];
  }
  for (const [exported, local, source] of reExports(text)) {
    if (exported === name && source !== undefined && source.startsWith("."))
      return findDeclaration(join(dirname(file), asTypes(source)), local, entry);
  }
  return [];
};

const isNamed = (name: string, shown: readonly Declaration[]): boolean =>
  shown.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));

/** Types that are not exported and that a shown declaration extends or names. */
const hiddenParts = (
  shown: readonly Declaration[],
  own: readonly Declaration[],
): readonly Declaration[] =>
  own.filter(({ isExported, name }) => !isExported && isNamed(name, shown));

/** Types of other files that the entry does not export and of which a shown declaration picks fields. */
const pickedParts = (
  file: string,
  text: string,
  shown: readonly Declaration[],
  entry: ReadonlySet<string>,
): readonly Declaration[] =>
  shown
    .flatMap((declaration) => [...declaration.text.matchAll(/\bPick<(\w+), "(\w+)"/g)])
    .filter(([, name = ""]) => !entry.has(name))
    .flatMap(([, name, field]) => {
      const source = new RegExp(`^import .*\\b${name}\\b.* from "(\\.[^"]+)"`, "m").exec(text)?.[1];
      if (source === undefined) return [];
      const other = readFileSync(join(dirname(file), asTypes(source)), "utf8");
      return readDeclarations(other).filter(
        (declaration) => declaration.name === name && declaration.text.includes(`${field}?:`),
      );
    });

const reExports = (
  text: string,
): readonly (readonly [name: string, local: string, source: string | undefined])[] =>
  [...text.matchAll(/export (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/g)].flatMap(
    ([, names = "", source]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== "")
        .map((name) => {
          const [local, exported = local] = name.split(" as ");
          return [exported!, local!, source] as const;
        }),
  );

const exportedNames = (text: string): readonly string[] => [
  ...reExports(text).map(([name]) => name),
  ...readDeclarations(text)
    .filter((declaration) => declaration.isExported)
    .map((declaration) => declaration.name),
];

/** A doc comment as prose. */
const prose = (comment: string): readonly string[] => {
  const text = comment
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .filter((line) => line !== "")
    .join("\n");
  return text === "" ? [] : [text, ""];
};

const tidy = (text: string): string =>
  text
    .trim()
    .replace(/^export (declare )?/, "")
    .replace(/^declare /, "")
    .replace(/^ {4}(#private|private constructor\(\));\n/gm, "");

const exportSection = (
  file: string,
  name: string,
  entry: ReadonlySet<string>,
): readonly string[] => {
  const [main, ...hidden] = findDeclaration(file, name, entry);
  if (main === undefined) throw new Error(`${file} exports ${name}, and nothing declares it`);
  return [
    `#### ${name}`,
    "",
    ...prose(main.comment),
    "```ts",
    [main, ...hidden].map(({ text }) => tidy(text)).join("\n\n"),
    "```",
    "",
  ];
};

const entrySection = (
  folder: string,
  name: string,
  point: string,
  types: string,
): readonly string[] => {
  const file = join(folder, types);
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`);
  const text = readFileSync(file, "utf8");
  const names = new Set(exportedNames(text));
  const lead = /^\/\*\*[\s\S]*?\*\/(?=\nexport \{)/.exec(text)?.[0] ?? "";
  return [
    `### ${code(point === "." ? name : `${name}${point.slice(1)}`)}`,
    "",
    ...prose(lead),
    ...[...names].flatMap((exported) => exportSection(file, exported, names)),
  ];
};

/** `docs/api.md`: what every package exports, as the built types have it. */
export const apiPage = (): string =>
  [
    "# API",
    "",
    "Everything the packages export, made from their types. [dial.md](dial.md), [histories.md](histories.md) and",
    "[receipts.md](receipts.md) explain; this page only says what there is.",
    "",
    "Most programs need [Agent](#agent) with its [options](#agentoptions), [tool](#tool), [History](#history) and [isMullError](#ismullerror).",
    "[chat](#chat) and [streamChat](#streamchat) are one request without a loop; [lint](#lint) and [repair](#repair) look at requests of others.",
    "",
    ...packageNames.flatMap((folder) => {
      const manifest = JSON.parse(
        readFileSync(`packages/${folder}/package.json`, "utf8"),
      ) as Manifest;
      return [
        `## ${manifest.name}`,
        "",
        `${manifest.description}.`,
        "",
        ...Object.entries(manifest.exports).flatMap(([point, target]) =>
          typeof target === "object" && target.types !== undefined
            ? entrySection(`packages/${folder}`, manifest.name, point, target.types)
            : [],
        ),
      ];
    }),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
