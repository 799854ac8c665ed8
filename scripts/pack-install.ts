import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
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

/** Tarballs of all packages, as `npm publish` would send them. They are built before. */
export const packAll = (into: string, root = "."): readonly Packed[] => {
  const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
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

/** An empty project with some of the tarballs installed, without any registry. */
export const installPacked = (
  workplace: string,
  packed: readonly Packed[],
  names: readonly string[],
): string => {
  const project = mkdtempSync(join(workplace, "project-"));
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}\n');
  const tarballs = packed.filter(({ name }) => names.includes(name)).map((one) => one.tarball);
  npm(
    ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs],
    project,
  );
  return project;
};
