import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked, packAll, type Packed } from "../scripts/pack-install.ts";
import { trackedFiles } from "./tracked-files.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly private?: boolean;
  readonly type?: string;
  readonly sideEffects?: boolean;
  readonly engines?: { readonly node?: string };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

const folders = readdirSync("packages").map((name) => `packages/${name}`);
const manifests = folders.map(readManifest);

const asked = (manifest: Manifest | undefined): unknown => ({
  dependencies: manifest?.dependencies ?? {},
  devDependencies: manifest?.devDependencies ?? {},
});

let workplace: string;
let packed: readonly Packed[];

beforeAll(() => {
  workplace = mkdtempSync(join(tmpdir(), "mull-packed-"));
  packed = packAll(workplace);
}, 120_000);
afterAll(() => {
  rmSync(workplace, { recursive: true, force: true });
});

/** Builds the library into a folder: digests of what came out, by path. */
function buildLibrary(into: string): ReadonlyMap<string, string> {
  const tsc = ["-p", "packages/mull", "--outDir", into, "--tsBuildInfoFile", `${into}.tsbuildinfo`];
  execFileSync(join("node_modules", ".bin", "tsc"), tsc, { stdio: "ignore" });
  for (const script of ["scripts/bundle.ts", "scripts/cjs-types.ts"])
    execFileSync(join("node_modules", ".bin", "tsx"), [script, into], { stdio: "ignore" });
  const paths = readdirSync(into, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths.map((path) => [
      relative(into, path),
      createHash("sha256").update(readFileSync(path)).digest("hex"),
    ]),
  );
}

/** What may be published. Everything else was put there by mistake. */
const reviewed: readonly RegExp[] = [
  /^(LICENSE|README\.md|package\.json)$/,
  /^bin\/mull\.js$/,
  /^dist\/.+\.(js|d\.ts)(\.map)?$/,
  /^dist\/.+\.d\.cts$/,
  /^src\/.+\.tsx?$/,
];
const reviewedPage: readonly RegExp[] = [
  ...reviewed,
  /^dist\/(index\.html|icon\.svg|licences\.md|assets\/.+\.css)$/,
  /^dist\/assets\/KaTeX_[\w-]+\.woff2$/,
];

describe("F-X1: what is published", () => {
  test.each(folders)(
    "%s: only what was reviewed, no tests, licence and README inside",
    (folder) => {
      const { files } = packed.find((one) => one.folder === folder)!;
      const allowed = folder === "packages/web" ? reviewedPage : reviewed;
      expect(files.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
      expect(files.filter((path) => /\.test\.|(^|\/)(crash|__snapshots__)\//.test(path))).toEqual(
        [],
      );
      for (const name of ["LICENSE", "README.md", "package.json"]) expect(files).toContain(name);
    },
  );

  test.each(folders.filter((folder) => folder !== "packages/web"))(
    "%s: every source is there with what was built of it, and nothing else is",
    (folder) => {
      const { files } = packed.find((one) => one.folder === folder)!;
      const sources = files.filter((path) => path.startsWith("src/"));
      const isBundled = folder === "packages/mull";
      const built = sources.flatMap((path) =>
        [...(isBundled ? [] : ["js", "js.map"]), "d.ts", "d.ts.map"].map((ending) =>
          path.replace(/^src/, "dist").replace(/tsx?$/, ending),
        ),
      );
      const required =
        JSON.stringify(readManifest(folder).exports).match(/dist\/[^"]+\.d\.cts/g) ?? [];
      // The library's code is in its entries and the chunks they share.
      const packedFiles = files.filter((path) =>
        isBundled ? /^dist\/.+\.d\.(cts|ts(\.map)?)$/.test(path) : path.startsWith("dist/"),
      );
      expect(packedFiles.toSorted()).toEqual([...built, ...required].toSorted());
    },
  );

  test.each(folders)("%s: everything its exports name is in the tarball", (folder) => {
    const { files } = packed.find((one) => one.folder === folder)!;
    const targets = JSON.stringify(readManifest(folder).exports).match(/\.\/[^"]+/g) ?? [];
    const named = targets.filter((path) => /\.(c?ts|js)$/.test(path)).map((path) => path.slice(2));
    expect(named.filter((path) => !files.includes(path))).toEqual([]);
  });

  test("the library has no runtime dependency, and nothing runs at install", () => {
    expect(readManifest("packages/mull").dependencies).toBeUndefined();
    const hooks = new Set(["preinstall", "install", "postinstall", "prepare", "prepublish"]);
    for (const { scripts = {} } of manifests) {
      expect(Object.keys(scripts).filter((name) => hooks.has(name))).toEqual([]);
    }
  });

  test("packed twice gives the same bytes", () => {
    const again = mkdtempSync(join(tmpdir(), "mull-packed-again-"));
    const second = packAll(again);
    rmSync(again, { recursive: true, force: true });
    expect(second.map(({ integrity }) => integrity)).toEqual(packed.map((one) => one.integrity));
  }, 120_000);

  test.each(folders)("%s: every source in the tarball is one that git keeps", (folder) => {
    const kept = new Set(trackedFiles("."));
    const { files } = packed.find((one) => one.folder === folder)!;
    const sources = files.filter((path) => !path.startsWith("dist/"));
    expect(sources).toContain("package.json");
    expect(sources.filter((path) => !kept.has(`${folder}/${path}`))).toEqual([]);
  });

  test("the library built twice gives the same bytes", () => {
    const [once, again] = ["once", "again"].map((name) => buildLibrary(join(workplace, name)));
    expect(once?.size).toBeGreaterThan(300);
    expect(again).toEqual(once);
  }, 120_000);

  test.each(manifests)("$name: module, engines and licence are said", (manifest) => {
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      sideEffects: false,
      engines: { node: ">=20.19" },
    });
    expect(manifest.private).toBeUndefined();
    expect(manifest.description).toMatch(/\w{3}/);
    expect(manifest.keywords).toContain("llm");
  });

  test("the maps of the bundle name the sources of the tarball and do not repeat them", () => {
    const { files } = packed.find(({ folder }) => folder === "packages/mull")!;
    const maps = files.filter((path) => path.endsWith(".js.map"));
    expect(maps).toContain("dist/chunks/base.js.map");
    for (const path of maps) {
      const map = JSON.parse(readFileSync(join("packages/mull", path), "utf8")) as {
        readonly sources: readonly string[];
        sourcesContent?: unknown;
      };
      const sources = map.sources.map((source) => join(dirname(path), source));
      expect(sources.filter((source) => !files.includes(source))).toEqual([]);
      expect(map.sourcesContent).toBeUndefined();
    }
  });

  test("the built entries share one module graph: one MullError, one provider, one wire", () => {
    const program = `
      const [main, core, lean, node, anthropic, google, openai, rules, wire] = await Promise.all(
        ["", "/core", "/lean", "/node", "/anthropic", "/google", "/openai", "/rules", "/wire"]
          .map((entry) => import("mull" + entry)),
      );
      const { provider } = main.resolveModel("claude-opus-5-5");
      console.log(JSON.stringify([
        [core, lean].every((entry) => entry.MullError === main.MullError),
        provider === anthropic.anthropic && provider.wire === anthropic.anthropicMessages,
        main.resolveModel("gemini-3.8-flash").provider === google.google,
        main.resolveModel("gpt-6-sol").provider === openai.openai,
      ]));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual([true, true, true, true]);
  });

  test("packages ask for each other by one version", () => {
    const versions = new Map(manifests.map(({ name, version }) => [name, version]));
    expect(new Set(versions.values()).size).toBe(1);
    const wanted = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies));
    const own = wanted.filter(([name]) => versions.has(name));
    expect(own.filter(([name, version]) => version !== versions.get(name))).toEqual([]);
  });
});

describe("an empty project", () => {
  test("installs the tarballs and runs the quick start with plain Node", () => {
    const project = installPacked(workplace, packed, ["mull", "@mull/emulator"]);
    copyFileSync("examples/quick-start.ts", join(project, "quick-start.mjs"));
    const text = execFileSync(process.execPath, ["quick-start.mjs"], {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env["PATH"] },
    });
    expect(text).toContain("1,081");
    expect(text).toContain("162.15");
    const installed = readdirSync(join(project, "node_modules")).filter(
      (name) => !name.startsWith("."),
    );
    expect(installed).toEqual(["@mull", "mull"]);
  }, 120_000);
});

describe("npm run tarballs", () => {
  test("packs every package into a folder, and the line it prints installs the library", () => {
    const { scripts = {} } = readManifest(".");
    expect(scripts["tarballs"]).toMatch(/ node --import tsx scripts\/tarballs\.ts$/);
    const folder = join(workplace, "tarballs");
    const printed = execFileSync(
      process.execPath,
      ["--import", "tsx", "scripts/tarballs.ts", folder],
      { encoding: "utf8" },
    );
    expect(readdirSync(folder)).toHaveLength(manifests.length);
    for (const { name } of manifests)
      expect(printed).toMatch(new RegExp(`^${name} \\S+\\.tgz$`, "m"));
    const [, tarball = ""] = /^npm install (\S+mull-\d\S+\.tgz)$/m.exec(printed) ?? [];
    const project = join(workplace, "own");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{"private":true}\n');
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], {
      cwd: project,
      stdio: "ignore",
    });
    const program = 'import("mull").then(({ Agent }) => console.log(typeof Agent))';
    const output = execFileSync(process.execPath, ["-e", program], {
      cwd: project,
      encoding: "utf8",
    });
    expect(output).toBe("function\n");
  }, 120_000);
});

describe("the types of the libraries", () => {
  const names = ["mull", "@mull/emulator", "@mull/vcr", "@mull/ui-messages"];
  const entries = names.flatMap((name) => {
    const { exports = {} } = manifests.find((manifest) => manifest.name === name) ?? {};
    return Object.keys(exports).map((entry) => name + entry.slice(1));
  });
  let project: string;

  beforeAll(() => {
    project = installPacked(workplace, packed, names);
    const imports = entries.filter((entry) => !entry.endsWith("/vitest"));
    const lines = imports.map((entry, index) => `import * as e${index} from "${entry}";`);
    const used = `console.log(${imports.map((_, index) => `e${index}`).join()});`;
    writeFileSync(join(project, "program.ts"), [...lines, used].join("\n"));
  }, 120_000);

  test.each([
    ["Node without the DOM's", ["--module", "nodenext", "--lib", "es2023"]],
    ["a bundler", ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "esnext,dom"]],
  ])(
    "are whole and strict for %s",
    (_name, settings) => {
      const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2023"];
      const types = ["--types", "node", "--typeRoots", resolve("node_modules/@types")];
      const args = [...strict, "--skipLibCheck", "false", ...types, ...settings, "program.ts"];
      const { stdout } = spawnSync(resolve("node_modules/.bin/tsc"), args, {
        cwd: project,
        encoding: "utf8",
      });
      expect(stdout).toBe("");
    },
    120_000,
  );
});

describe("F-X3: dependencies", () => {
  interface Locked {
    readonly version?: string;
    readonly resolved?: string;
    readonly integrity?: string;
    readonly link?: boolean;
    readonly license?: string;
    readonly inBundle?: boolean;
    readonly optional?: boolean;
    readonly os?: readonly string[];
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const installed = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  );

  test("versions are exact, and none comes from git or an address", () => {
    for (const { dependencies = {}, devDependencies = {} } of [readManifest("."), ...manifests]) {
      const wanted = Object.entries({ ...dependencies, ...devDependencies });
      expect(
        wanted.filter(
          ([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
        ),
      ).toEqual([]);
    }
    const odd = installed.filter(
      ([, { resolved, integrity, inBundle, optional, os }]) =>
        inBundle !== true &&
        // Builds for other systems are listed, so that npm ci works there; not all were at hand.
        ((integrity === undefined && !(optional === true && os !== undefined)) ||
          (resolved !== undefined && !resolved.startsWith("https://"))),
    );
    expect(odd.map(([path]) => path)).toEqual([]);
  });

  test("install scripts are off, and new versions wait seven days", () => {
    const settings = readFileSync(".npmrc", "utf8");
    for (const line of ["ignore-scripts=true", "save-exact=true", "min-release-age=7"]) {
      expect(settings).toContain(line);
    }
  });

  test("the lockfile fits the manifests", () => {
    const places = ["", ...folders];
    expect(places.map((path) => asked(lock.packages[path] as Manifest | undefined))).toEqual(
      places.map((path) => asked(readManifest(path))),
    );
  });

  test("builds for every system are in the lockfile: npm ci refuses to run when one is missing", () => {
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          !(`${path}/node_modules/${name}` in lock.packages) &&
          !(`node_modules/${name}` in lock.packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  /** Everything that comes along with a package, by Node's own way of looking for it. */
  const comesWith = (from: string, seen: Set<string>): Set<string> => {
    const { dependencies = {} } = lock.packages[from] as Manifest;
    for (const name of Object.keys(dependencies)) {
      const places = from
        .split("/node_modules/")
        .map((_, index, parts) =>
          [...parts.slice(0, parts.length - index), name].join("/node_modules/"),
        );
      const place = [...places, `node_modules/${name}`].find((path) => path in lock.packages);
      if (place === undefined) throw new Error(`${from} wants ${name}, and the lockfile has none`);
      if (lock.packages[place]?.link === true || seen.has(place)) continue;
      comesWith(place, seen.add(place));
    }
    return seen;
  };

  test("what users install is under a licence that lets them", () => {
    const free = /^\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|PostgreSQL|BlueOak-1\.0\.0)\b/;
    const along = [...folders.reduce((seen, folder) => comesWith(folder, seen), new Set<string>())];
    expect(along.length).toBeGreaterThan(5);
    const licences = along.map(
      (path) =>
        [path, lock.packages[path]?.license ?? readManifest(path).license ?? "none"] as const,
    );
    expect(licences.filter(([, licence]) => !free.test(licence))).toEqual([]);
  });
});
