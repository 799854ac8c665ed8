import { openEngine } from "../../pglite/open-engine.ts";
import { say } from "./material.ts";

/** Opens what a power cut left and says which rows are there: by the table and by its index. */
const [folder = ""] = process.argv.slice(2);
const engine = await openEngine(folder);
const read = async (scan: "seqscan" | "indexscan"): Promise<unknown> => {
  await engine.query(`set enable_seqscan = ${scan === "seqscan" ? "on" : "off"}`, []);
  const { rows } = await engine.query(
    "select n from rows where md5(payload) = sum and n >= 0 order by n",
    [],
  );
  return rows.map((row) => row["n"]);
};
const latest = await engine.query("select n from latest", []);
say(
  JSON.stringify({
    byTable: await read("seqscan"),
    byIndex: await read("indexscan"),
    latest: latest.rows[0]?.["n"],
  }),
);
await engine.close();
process.exit(0);
