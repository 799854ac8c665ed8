import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { parseSync } from "rolldown/utils";

/** A name that a file declares, as users see it. */
export interface Declaration {
  readonly name: string;
  readonly isType: boolean;
  /** Its doc comment as prose; empty without one. */
  readonly comment: string;
  /** The declaration without bodies. */
  readonly text: string;
}

export interface Entry {
  /** As it is imported, e.g. `mull/wire`. */
  readonly name: string;
  /** The comment at the very top of its file. */
  readonly lead: string;
  /** What it exports, each with the private types that are needed to read it behind it. */
  readonly exports: ReadonlyMap<string, readonly Declaration[]>;
}

export interface Package {
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}

/** Packages in the order people meet them; the page (`web`) is no library and has no entry. */
const folders = [
  "mull",
  "ui-messages",
  "ai-sdk",
  "otel",
  "mcp",
  "emulator",
  "vcr",
  "store",
  "server",
  "gateway",
  "cli",
] as const;

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, { readonly "@mull/source": string }>>;
}

/** Every published package with its entries, read from the sources: nothing has to be built. */
export const readPackages = (): readonly Package[] =>
  folders.map((folder) => {
    const read = createReader();
    const { name, description, exports } = JSON.parse(
      readFileSync(`packages/${folder}/package.json`, "utf8"),
    ) as Manifest;
    const files = Object.entries(exports).map(
      ([point, { "@mull/source": path }]) =>
        [`${name}${point.slice(1)}`, join("packages", folder, path)] as const,
    );
    const published = new Set(files.flatMap(([, file]) => read(file).exportNames));
    return {
      folder,
      name,
      description,
      entries: files.map(([entry, file]) => ({
        name: entry,
        lead: leadOf(readFileSync(file, "utf8")),
        exports: new Map(
          read(file).exportNames.map((exported) => [
            exported,
            withPrivateTypes(findDeclaration(read, file, exported), published, read),
          ]),
        ),
      })),
    };
  });

/** Where a name of a file comes from: the file itself, or another. */
interface Link {
  readonly file: string;
  readonly name: string;
}

interface Source {
  readonly exportNames: readonly string[];
  readonly declared: ReadonlyMap<string, Declaration>;
  /** Names that are imported or exported from elsewhere. */
  readonly links: ReadonlyMap<string, Link>;
}

type Read = (file: string) => Source;

function createReader(): Read {
  const known = new Map<string, Source>();
  return (file) => {
    const source = known.get(file) ?? readSource(file);
    known.set(file, source);
    return source;
  };
}

function readSource(file: string): Source {
  const { code } = isolatedDeclarationSync(file, readFileSync(file, "utf8"));
  const { program, comments, module } = parseSync("declarations.d.ts", code);
  const declared = new Map<string, Declaration>();
  for (const node of program.body) {
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    if (declaration === null) continue;
    const name =
      "id" in declaration && declaration.id?.type === "Identifier"
        ? declaration.id.name
        : declaration.type === "VariableDeclaration" &&
            declaration.declarations[0]?.id.type === "Identifier"
          ? declaration.declarations[0].id.name
          : undefined;
    if (name === undefined) continue;
    const comment = comments.findLast(({ end }) => end < node.start && end >= node.start - 2);
    const earlier = declared.get(name);
    const text = tidy(code.slice(node.start, node.end));
    declared.set(name, {
      name,
      isType: /^TS(?:Interface|TypeAlias)/.test(declaration.type),
      comment: earlier?.comment ?? prose(comment?.value ?? ""),
      text: earlier === undefined ? text : `${earlier.text}\n${text}`,
    });
  }
  const links = new Map<string, Link>();
  const link = (local: string, name: string | null, from: string | undefined): void => {
    if (name !== null && from?.startsWith(".") === true)
      links.set(local, { file: join(dirname(file), from), name });
  };
  for (const { entries, moduleRequest } of module.staticImports)
    for (const { localName, importName } of entries)
      link(localName.value, importName.name, moduleRequest.value);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  for (const { exportName, importName, moduleRequest } of exported)
    link(exportName.name ?? "", importName.name, moduleRequest?.value);
  return { declared, links, exportNames: exported.map(({ exportName }) => exportName.name ?? "") };
}

/** The text of a doc comment, line by line as it was written. */
const prose = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .filter((line) => line !== "")
    .join("\n");

const leadOf = (text: string): string => prose(/^\/\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "");

const tidy = (text: string): string =>
  text
    .replaceAll("\t", "  ")
    .replace(/^( +)\*/gm, "$1 *")
    .replace(/^export /, "")
    .replace(/^declare /, "")
    .replace(/^ *(?:#private|private constructor\(.*\));\n/gm, "");

/** The declaration behind a name, through any number of re-exports. */
function findDeclaration(read: Read, file: string, name: string): Declaration & Link {
  const source = read(file);
  const own = source.declared.get(name);
  if (own !== undefined) return { ...own, file };
  const link = source.links.get(name);
  if (link === undefined) throw new Error(`${file} exports ${name}, and nothing declares it`);
  return findDeclaration(read, link.file, link.name);
}

/** The declaration, and behind it what it extends and the types it names that no entry exports. */
function withPrivateTypes(
  declaration: Declaration & Link,
  published: ReadonlySet<string>,
  read: Read,
): readonly Declaration[] {
  const shown = [declaration];
  for (const { text, file } of shown) {
    const { declared, links } = read(file);
    for (const [name] of text.matchAll(/(?<![.\w"`'])[A-Z]\w*/g)) {
      if (published.has(name) || shown.some((other) => other.name === name)) continue;
      if (!declared.has(name) && !links.has(name)) continue;
      const found = findDeclaration(read, file, name);
      if (found.isType || text.includes(` extends ${name} `)) shown.push(found);
    }
  }
  return shown;
}
