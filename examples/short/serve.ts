import { calculator, chatServer, listen } from "@mull/server";
import { memoryStore } from "@mull/store";

const app = chatServer({
  store: memoryStore(),
  upstream: () => ({ env: process.env, isSimulated: false }),
  tools: [calculator],
});
const { url } = await listen(app, { port: Number(process.env["PORT"] ?? 3001) });
console.log(`POST ${url}/api/chat takes what useChat of the AI SDK sends`);
