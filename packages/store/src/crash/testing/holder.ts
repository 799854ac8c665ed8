import { pgliteDriver } from "../../pglite/pglite-driver.ts";
import { say } from "./material.ts";

const [target = ""] = process.argv.slice(2);
try {
  await pgliteDriver(target);
  say("holds");
  setInterval(() => undefined, 1000);
} catch (error) {
  say(`refused ${error instanceof Error ? error.message : String(error)}`);
}
