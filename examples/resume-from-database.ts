import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emulate } from "@mull/emulator";
import { pgliteDriver, postgresStore } from "@mull/store";
import { Agent, History } from "mull";

const folder = await mkdtemp(join(tmpdir(), "conversations-"));
const offline = { fetch: emulate({ secret: "example" }), apiKey: "simulated" };

// Today: ask, and put what was said into the embedded Postgres. pgDriver(DATABASE_URL) is a server's.
const today = await postgresStore(await pgliteDriver(folder));
const { id } = await today.createConversation("ada", { title: "Sums" });
const first = new Agent("claude-opus-5-5/med", offline);
await first.send("What is 23 * 47?");
await today.appendMessages("ada", id, null, first.history.messages);
await today.close();

// Tomorrow: another process, another vendor, the same conversation.
const tomorrow = await postgresStore(await pgliteDriver(folder));
const stored = await tomorrow.listBranch("ada", id);
const history = History.from(stored.map(({ message }) => message));
const second = new Agent("gemini-3.8-flash/high", { ...offline, history });
const { text, receipt } = await second.send("What is 15% of 1,081?");
console.log(text.split("\n")[0]);
console.log(receipt.withheld.map((change) => change.detail));
await tomorrow.close();
await rm(folder, { recursive: true });
