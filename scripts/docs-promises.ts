import { readFileSync } from "node:fs";
import { code, table } from "./docs-table.ts";

/** What `bench/promises/main.ts` found. */
interface Found {
  readonly libraries: Readonly<Record<string, string>>;
  readonly rows: readonly {
    readonly what: string;
    readonly found: Readonly<Record<string, string>>;
  }[];
}

export const readFound = (): Found =>
  JSON.parse(readFileSync("bench/promises/found.json", "utf8")) as Found;

/** What was tried, with us and with the others. */
export const promiseTable = (): string => {
  const { libraries, rows } = readFound();
  const names = Object.entries(libraries);
  return table(
    ["", "mull", ...names.map(([name, version]) => `${name} ${version}`)],
    rows.map(({ what, found }) => [
      what,
      found["mull"] ?? "",
      ...names.map(
        ([name]) =>
          found[name]?.replace(
            /^no request: (.*)$/,
            (_, why: string) => `no request: ${code(why)}`,
          ) ?? "",
      ),
    ]),
  ).join("\n");
};
