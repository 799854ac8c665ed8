import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

export interface Programs {
  /** The file to start. */
  readonly pathOf: (name: string) => string;
  readonly remove: () => Promise<void>;
}

const root = join(import.meta.dirname, "..");

/**
 * Makes programs of the workspace ready to be started often: one bundle of the source as it is, so
 * that a child process need not translate it again. Paths are relative to the workspace.
 */
export async function bundlePrograms(sources: Readonly<Record<string, string>>): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), "mull-programs-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), `{"type":"module"}`);
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(sources).map(([name, path]) => [name, join(root, path)]),
    ),
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@mull/source", "import", "node", "default"] },
    // What others wrote is loaded as it is installed.
    external: (id) => /^[\w@]/.test(id) && !/^(@mull\/|mull$|mull\/)/.test(id),
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  return {
    pathOf: (name) => join(folder, `${name}.js`),
    remove: () => rm(folder, { recursive: true }),
  };
}
