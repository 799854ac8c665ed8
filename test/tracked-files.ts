import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

const notKept: ReadonlySet<string> = new Set(["node_modules", "dist", ".git"]);

const walk = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (notKept.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });

/** The files of the repository, from its root on; in an archive without `.git`, all there are but for what is made. */
export function trackedFiles(root: string): readonly string[] {
  if (!existsSync(join(root, ".git"))) {
    return walk(root).map((path) => relative(root, path).split(sep).join("/"));
  }
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" });
  return listed.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
}
