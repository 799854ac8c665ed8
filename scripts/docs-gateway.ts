import { readFileSync } from "node:fs";
import { table } from "./docs-table.ts";

interface Cell {
  readonly ok: boolean;
  readonly thoughts?: number;
  readonly note: string;
}

/** What `npm run test:clients` found. */
interface Row {
  readonly client: string;
  readonly version: string;
  readonly missing?: string;
  readonly cells: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
}

const vendors = ["Anthropic", "OpenAI", "Google"] as const;

const taskNames: Readonly<Record<string, string>> = {
  loop: "loop",
  resume: "resume",
  cancel: "stop",
  image: "image",
  "wrong-key": "wrong key",
  overload: "overload",
};

/** Every client against every vendor. */
export const clientTable = (): string =>
  table(
    ["client", "version", ...vendors],
    (JSON.parse(readFileSync("test/clients/results.json", "utf8")) as readonly Row[]).map(
      ({ client, version, missing, cells }) => [
        client,
        version,
        ...vendors.map((vendor) =>
          missing === undefined ? describeCell(cells[vendor] ?? {}) : `not run: ${missing}`,
        ),
      ],
    ),
  ).join("\n");

function describeCell(cell: Readonly<Record<string, Cell>>): string {
  const failed = Object.entries(cell).filter(([, { ok }]) => !ok);
  if (failed.length > 0)
    return failed.map(([task, { note }]) => `✗ ${taskNames[task] ?? task}: ${note}`).join("; ");
  const again = cell["resume"]?.thoughts;
  const resumed = again === undefined ? "" : `, ${again} resumed`;
  return `✓ ${cell["loop"]?.thoughts ?? 0} thoughts${resumed}`;
}
