import { readReport } from "../bench/report.ts";
import { table } from "./docs-table.ts";

/** The scenario and the table that weigh what one turn adds to a page. */
const scenario = "s3";
const tableName = "bundles, minified and gzipped";
const ours = "one Anthropic turn";
/** Not a turn, so not comparable. */
const beside = "all wires and the catalogue";

/** What one turn with Claude adds to a page, by our own measurement. */
export const bundleTable = (): string => {
  const measured = readReport().scenarios[scenario]?.tables.find(({ name }) => name === tableName);
  const rows = measured?.rows.filter(([name]) => name !== beside) ?? [];
  const known = rows.map(([name, size]) => {
    if (typeof size !== "number") throw new Error(`no size of ${name} in the report`);
    return [name === ours ? "mull" : String(name), `${size.toFixed(size < 100 ? 1 : 0)} KiB`];
  });
  if (known[0]?.[0] !== "mull") throw new Error(`the report has no ${tableName} of mull`);
  return table(
    known.map(([name = ""]) => name),
    [known.map(([, size = ""]) => size)],
  ).join("\n");
};
