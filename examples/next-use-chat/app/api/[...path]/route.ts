import { emulate } from "@mull/emulator";
import { calculator, chatServer, type ChatServer } from "@mull/server";
import { memoryStore } from "@mull/store";

// The chat server is a function from request to response, so a route can be it. Put a store that
// lasts in the place of memoryStore: postgresStore(pgDriver(process.env.DATABASE_URL)).
const start = (): ChatServer => {
  const emulator = emulate({ secret: "next-example" });
  return chatServer({
    store: memoryStore(),
    upstream: (provider) =>
      provider.keyVariables.some((name) => process.env[name])
        ? { env: process.env, isSimulated: false }
        : { fetch: emulator, env: {}, apiKey: "simulated", isSimulated: true },
    tools: [calculator],
  });
};

// Next loads this file again when it changes; the conversations should not start anew.
const kept = globalThis as { mullServer?: ChatServer };
const server = (kept.mullServer ??= start());

const handle = (request: Request): Promise<Response> => server(request);
export { handle as DELETE, handle as GET, handle as PATCH, handle as POST };
