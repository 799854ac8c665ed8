import { pgliteDriver, postgresStore } from "@mull/store";
import { Agent, History } from "mull";

const store = await postgresStore(await pgliteDriver("data")); // or pgDriver(DATABASE_URL)
const { id } = await store.createConversation("ada");
const agent = new Agent("claude-opus-5-5/med");
await agent.send("What is 23 * 47?");
await store.appendMessages("ada", id, null, agent.history.messages);

const stored = await store.listBranch("ada", id); // later, in another process
const history = History.from(stored.map(({ message }) => message));
const later = new Agent("gemini-3.8-flash/high", { history });
console.log((await later.send("What is 15% of 1,081?")).text);
await store.close();
