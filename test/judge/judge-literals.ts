import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonValue } from "mull";
import { writeLiteral, type Literal } from "./literal.ts";
import type { VendorType } from "./vendor-types.ts";

/** A value the vendor's own type is asked about. */
export interface Exhibit {
  readonly type: VendorType;
  readonly value: JsonValue;
}

/** What the compiler has against a value. */
export interface Objection {
  /** JSON path within the value; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

const perFile = 250;
const vendorTypes = fileURLToPath(new URL("vendor-types.ts", import.meta.url));
const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  module: "nodenext",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: [],
};

interface Placed {
  readonly exhibit: number;
  readonly firstLine: number;
  readonly literal: Literal;
}

/**
 * Has the TypeScript compiler hold every value against its vendor's type. Answers with one list of
 * objections for each value, in order; an empty list is a value the type takes.
 */
export async function judgeLiterals(
  exhibits: readonly Exhibit[],
): Promise<readonly (readonly Objection[])[]> {
  const objections = exhibits.map((): Objection[] => []);
  if (exhibits.length === 0) return objections;
  const folder = await mkdtemp(join(tmpdir(), "mull-judge-"));
  try {
    const files: Placed[][] = [];
    for (let from = 0; from < exhibits.length; from += perFile) {
      const { text, placed } = writeFileOf(exhibits.slice(from, from + perFile), from);
      await writeFile(join(folder, `f${files.length}.ts`), text);
      files.push(placed);
    }
    const config = { compilerOptions, include: ["*.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    for (const diagnostic of readDiagnostics(await compile(folder))) {
      const placed = files[diagnostic.file]?.findLast(
        ({ firstLine }) => firstLine <= diagnostic.line,
      );
      if (placed === undefined) throw new Error(`The judge cannot compile: ${diagnostic.message}`);
      const path = placed.literal.paths[diagnostic.line - placed.firstLine] ?? "";
      objections[placed.exhibit]?.push({ path, message: diagnostic.message });
    }
    return objections;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function writeFileOf(
  exhibits: readonly Exhibit[],
  from: number,
): { readonly text: string; readonly placed: Placed[] } {
  const lines = [`import type { VendorTypes } from ${JSON.stringify(vendorTypes)};`];
  const placed = exhibits.map(({ type, value }, at): Placed => {
    const literal = writeLiteral(`v${at}`, `VendorTypes[${JSON.stringify(type)}]`, value);
    const firstLine = lines.length + 1;
    lines.push(...literal.lines);
    return { exhibit: from + at, firstLine, literal };
  });
  return { text: lines.join("\n"), placed };
}

const compile = (folder: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = [tsc, "-p", folder, "--pretty", "false"];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (error, out, err) => {
      // The compiler exits with 1 or 2 when it has something to say.
      if (error === null || out !== "") resolve(out);
      else reject(new Error(`The judge's compiler did not run: ${err}`, { cause: error }));
    });
  });

interface Diagnostic {
  readonly file: number;
  readonly line: number;
  readonly message: string;
}

/** `f0.ts(12,5): error TS2353: …`, with the reasons indented on the lines behind it. */
function readDiagnostics(output: string): readonly Diagnostic[] {
  const found: { file: number; line: number; message: string }[] = [];
  for (const text of output.split("\n")) {
    const [, file, line, message] = /^f(\d+)\.ts\((\d+),\d+\): error (.*)$/.exec(text) ?? [];
    const last = found.at(-1);
    if (message !== undefined) found.push({ file: Number(file), line: Number(line), message });
    else if (last !== undefined && text.startsWith(" ")) last.message += `\n${text}`;
    else if (text.trim() !== "") found.push({ file: -1, line: 0, message: text });
  }
  return found;
}
