/**
 * `npm run tarballs` packs every package as it would be published, and prints what to install.
 * Another folder than `tarballs` can be given: `npm run tarballs -- ../somewhere`.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { packAll } from "./pack-install.ts";

const folder = resolve(process.argv[2] ?? "tarballs");
mkdirSync(folder, { recursive: true });
// `*.tgz` below must not pick up tarballs of an earlier version.
for (const name of readdirSync(folder)) if (name.endsWith(".tgz")) rmSync(join(folder, name));
const packed = packAll(folder);

const tarballOf = (name: string): string => packed.find((one) => one.name === name)!.tarball;

for (const { name, tarball } of packed) console.log(`${name} ${relative(".", tarball)}`);
console.log(`
The library, in a project of yours:
npm install ${tarballOf("mull")}

The mull command, for every folder:
npm install --global ${folder}/*.tgz`);
