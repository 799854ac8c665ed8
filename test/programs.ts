import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";

export interface Programs {
  /** The file to start. */
  readonly pathOf: (name: string) => string;
  readonly remove: () => Promise<void>;
}

const root = join(import.meta.dirname, "..");

/**
 * Makes programs of a package ready to be started often: one bundle of the source as it is, so that
 * a child process need not translate it again. Sources are paths in the workspace. The bundle lies
 * in the package's `node_modules`, from where everything is found that the package depends on.
 */
export async function bundlePrograms(
  packageName: string,
  sources: Readonly<Record<string, string>>,
): Promise<Programs> {
  const modules = join(root, "packages", packageName, "node_modules");
  await mkdir(modules, { recursive: true });
  const folder = await mkdtemp(join(modules, ".programs-"));
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
