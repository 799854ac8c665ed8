import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Packed {
  readonly folder: string;
  readonly name: string;
  /** Path of the tarball. */
  readonly tarball: string;
  readonly files: readonly string[];
  readonly integrity: string;
}

interface PackReport {
  readonly name: string;
  readonly filename: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync("npm", [...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();

/** Deletes what an earlier build made of sources that are gone: `tsc -b` leaves it behind. */
const pruneBuilt = (folder: string): void => {
  const dist = join(folder, "dist");
  if (!existsSync(join(dist, ".tsbuildinfo"))) return;
  for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const source = /^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1];
    if (source === undefined || source.startsWith("chunks")) continue;
    const isKept = ["ts", "tsx"].some((ending) =>
      existsSync(join(folder, "src", `${source}.${ending}`)),
    );
    if (!isKept) rmSync(join(dist, path));
  }
};

/** Tarballs of all packages, as `npm publish` would send them. They are built before. */
export const packAll = (into: string, root = "."): readonly Packed[] => {
  const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
  for (const folder of folders) pruneBuilt(join(root, folder));
  const args = ["pack", "--json", "--pack-destination", into];
  const reports = JSON.parse(
    npm([...args, ...folders.map((folder) => `./${folder}`)], root),
  ) as readonly PackReport[];
  return reports.map((report, index) => ({
    folder: folders[index]!,
    name: report.name,
    tarball: resolve(into, report.filename),
    files: report.files.map((file) => file.path),
    integrity: report.integrity,
  }));
};

/** An empty project with some of the tarballs installed; without any registry unless told. */
export const installPacked = (
  workplace: string,
  packed: readonly Packed[],
  names: readonly string[],
  mode: "--offline" | "--prefer-offline" = "--offline",
): string => {
  const project = mkdtempSync(join(workplace, "project-"));
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}\n');
  const tarballs = packed.filter(({ name }) => names.includes(name)).map((one) => one.tarball);
  npm(["install", mode, "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs], project);
  return project;
};
