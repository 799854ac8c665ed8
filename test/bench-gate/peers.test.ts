import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(`bench/peers/${name}`, "utf8")) as unknown;

describe("F-X3: the libraries that the benchmarks compare with", () => {
  const { packages } = read("package-lock.json") as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const { dependencies } = read("package.json") as Required<Pick<Locked, "dependencies">>;

  test("are locked by content, from whatever registry", () => {
    const { "": root, ...installed } = packages;
    expect(root?.dependencies).toEqual(dependencies);
    const odd = Object.entries(installed).filter(
      ([, { resolved, integrity }]) => resolved !== undefined || integrity === undefined,
    );
    expect(odd).toEqual([]);
  });

  test("are installed apart, without scripts, in exact versions of seven days ago", () => {
    const settings = readFileSync("bench/peers/.npmrc", "utf8");
    expect(settings).toContain("ignore-scripts=true");
    expect(settings).toContain("min-release-age=7");
    const versions = Object.values(dependencies);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});
