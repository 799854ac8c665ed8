import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { UserPart } from "mull";
import { filePart } from "../ask/file-part.ts";
import type { Io } from "../frame/io.ts";
import type { Candidate } from "./commands/command.ts";
import { bytes } from "./format.ts";

type WorkPlace = Pick<Io, "cwd" | "home">;

/** The largest file that goes with a question. */
export const largestFile = 20_000_000;

/** Folders nobody means unless they name them. */
const skipped: ReadonlySet<string> = new Set(["node_modules", "dist", "target", "venv"]);
/** So many names are looked at below this folder for a word without a slash. */
const mostLooked = 3000;
const mostShown = 30;

/** Files and folders for `@start`; `line` is the whole text and ends with that word. */
export async function completeMention(
  line: string,
  mention: string,
  place: WorkPlace,
): Promise<readonly Candidate[]> {
  const start = mention.replace(/^@"?/, "");
  const before = line.slice(0, line.length - mention.length);
  const here = await inFolder(start, place);
  const found = here.length > 0 || start.includes("/") ? here : await below(start, place);
  return found.slice(0, mostShown).map(({ path, isFolder }) => {
    const isQuoted = /[\s"]/.test(path);
    const word = isQuoted ? `@"${path}${isFolder ? "/" : '"'}` : `@${path}${isFolder ? "/" : ""}`;
    return {
      value: `${before}${word}${isFolder ? "" : " "}`,
      label: `${path}${isFolder ? "/" : ""}`,
      help: isFolder ? "folder" : "",
    };
  });
}

interface FoundPath {
  readonly path: string;
  readonly isFolder: boolean;
}

const atHome = (path: string, home: string): string => path.replace(/^~(?=\/|$)/, home);

/** Entries of the folder that is named so far, which begin like the rest. */
async function inFolder(start: string, { cwd, home }: WorkPlace): Promise<readonly FoundPath[]> {
  const slash = start.lastIndexOf("/") + 1;
  const [folder, name] = [start.slice(0, slash), start.slice(slash).toLowerCase()];
  const entries = await entriesOf(resolve(cwd, atHome(folder, home)));
  return entries
    .filter(
      (entry) =>
        entry.name.toLowerCase().startsWith(name) && (name !== "" || !isHidden(entry.name)),
    )
    .map((entry) => ({ path: folder + entry.name, isFolder: entry.isDirectory() }))
    .toSorted((a, b) => Number(b.isFolder) - Number(a.isFolder) || a.path.localeCompare(b.path));
}

const isHidden = (name: string): boolean => name.startsWith(".") || skipped.has(name);

/** Files anywhere below whose name has the word in it, the nearest first. */
async function below(word: string, { cwd }: WorkPlace): Promise<readonly FoundPath[]> {
  if (word.length < 2) return [];
  const found: FoundPath[] = [];
  let folders = [""];
  for (let looked = 0; folders.length > 0 && looked < mostLooked;) {
    const next: string[] = [];
    for (const folder of folders) {
      const entries = await entriesOf(join(cwd, folder));
      looked += entries.length;
      for (const entry of entries.filter(({ name }) => !isHidden(name))) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) next.push(path);
        else if (entry.name.toLowerCase().includes(word.toLowerCase()))
          found.push({ path, isFolder: false });
      }
      if (looked >= mostLooked || found.length >= mostShown) return found;
    }
    folders = next;
  }
  return found;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The files a question names, and what to say about each. */
export interface Mentioned {
  readonly parts: readonly UserPart[];
  readonly lines: readonly string[];
}

/** Reads the files that a question names with `@path`. A word that names no file stays a word: `@types/node`. */
export async function readMentioned(text: string, place: WorkPlace): Promise<Mentioned> {
  const parts: UserPart[] = [];
  const lines: string[] = [];
  for (const name of new Set(namesIn(text))) {
    const found = await existing(name, place);
    if (found === undefined) {
      if (isPath(name))
        lines.push(`⚠ There is no file ${withoutStop(name)}; it was sent as a word.`);
      continue;
    }
    const { path, isFolder, size } = found;
    try {
      if (isFolder) throw new Error("it is a folder; name a file in it");
      if (size > largestFile)
        throw new Error(`it has ${bytes(size)}; the limit is ${bytes(largestFile)}`);
      parts.push(filePart(path, await readFile(path)));
      lines.push(`▸ ${basename(path)} · ${bytes(size)} goes with this question`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      lines.push(`⚠ ${basename(path)} was not sent: ${why.replace(/\.?$/, ".")}`);
    }
  }
  return { parts, lines };
}

/** An address like `someone@example.com` names no file: the sign begins a word. */
const namesIn = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/(?<=^|\s|[([])@(?:"([^"\n]+)"|([^\s"]+))/g),
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );

const withoutStop = (name: string): string => name.replace(/[.,;:!?)\]]+$/, "");

/** What can only be meant as a path: `./notes`, `notes.md`. */
const isPath = (name: string): boolean =>
  /^(?:~|\.\.?)?\/|\.[a-z]\w{0,4}$/i.test(withoutStop(name));

interface NamedFile {
  readonly path: string;
  readonly isFolder: boolean;
  readonly size: number;
}

/** The path as written, else without the sign that ends a sentence: `@README.md.` */
async function existing(name: string, { cwd, home }: WorkPlace): Promise<NamedFile | undefined> {
  for (const each of [name, withoutStop(name)]) {
    const path = resolve(cwd, atHome(each, home));
    if (dirname(path) === path) continue;
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() || found?.isDirectory())
      return { path, isFolder: found.isDirectory(), size: found.size };
  }
  return undefined;
}
