import { readFileSync } from "node:fs";
import { code, table } from "./docs-table.ts";

/** What `bench/promises/main.ts` found. */
interface Found {
  /** The day, as an ISO date. */
  readonly tried: string;
  readonly libraries: Readonly<Record<string, string>>;
  /** Of the requests that were refused, how many are taken behind the repairing `fetch`. */
  readonly repaired: { readonly refused: number; readonly taken: number };
  readonly rows: readonly {
    readonly what: string;
    readonly found: Readonly<Record<string, string>>;
  }[];
}

export const readFound = (): Found =>
  JSON.parse(readFileSync("bench/promises/found.json", "utf8")) as Found;

const ours = ["mull", "AI SDK with mull"];

/** What was tried, with us and with the others. */
export const promiseTable = (): string => {
  const { tried, libraries, rows } = readFound();
  const names = Object.entries(libraries);
  const day = new Date(tried).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const lines = table(
    ["", ...ours, ...names.map(([name, version]) => `${name} ${version}`)],
    rows.map(({ what, found }) => [
      what,
      ...ours.map((name) => found[name] ?? ""),
      ...names.map(
        ([name]) =>
          found[name]?.replace(
            /^no request: (.*)$/,
            (_, why: string) => `no request: ${code(why)}`,
          ) ?? "",
      ),
    ]),
  );
  return [...lines, "", `Tried on ${day}.`].join("\n");
};
