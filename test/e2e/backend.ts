import { emulate, type EmulatorOptions } from "@mull/emulator";
import { calculator, chatServer, listen, offlineSearch, searchWeb } from "@mull/server";
import { memoryStore, pgDriver, postgresStore, type Store } from "@mull/store";
import { startPostgres } from "@mull/store/testing";
import type { Tool } from "mull";
import type { Transform } from "../../packages/server/src/turns/comply-history.ts";
import { leaveOut } from "../left-out.ts";

export interface Backend {
  readonly url: string;
  readonly about: string;
  readonly close: () => Promise<void>;
}

const defaultPort = 3001;

/** The chat server with the emulator behind it. */
export const newServer = (
  store: Store,
  transforms?: readonly Transform[],
  options: EmulatorOptions = {},
  tools: readonly Tool[] = [],
): ReturnType<typeof chatServer> => {
  const emulator = emulate(options);
  return chatServer({
    store,
    upstream: () => ({ fetch: emulator, env: {}, apiKey: "simulated", isSimulated: true }),
    tools: [searchWeb(offlineSearch), calculator, ...tools],
    limits: { turnsPerUser: 50 },
    ...(transforms !== undefined && { transforms }),
  });
};

/**
 * The backend that `TEST_BACKEND_URL` names, or one of our own at port 3001. Where that is taken ours
 * goes elsewhere: the port may belong to another test that is about to close it.
 */
export async function findBackend(
  given: string | undefined,
  databaseUrl: string | undefined,
): Promise<Backend> {
  if (given !== undefined && given !== "") return { url: given, about: "given", close: nothing };
  const database = await openDatabase(databaseUrl);
  const app = newServer(database.store);
  const options = { onClose: database.close };
  const listening = await listen(app, { ...options, port: defaultPort }).catch(() =>
    listen(app, { ...options, port: 0 }),
  );
  return { url: listening.url, about: `started here, ${database.about}`, close: listening.close };
}

const nothing = async (): Promise<void> => undefined;

async function openDatabase(
  url: string | undefined,
): Promise<{ readonly store: Store; readonly about: string; readonly close: () => Promise<void> }> {
  if (url !== undefined && url !== "") {
    const store = await postgresStore(pgDriver(url));
    return { store, about: "Postgres of DATABASE_URL", close: () => store.close() };
  }
  const postgres = await startPostgres();
  if (postgres === undefined) {
    leaveOut("postgres");
    const store = memoryStore();
    return {
      store,
      about: "NO POSTGRES ON THIS MACHINE, in memory instead",
      close: () => store.close(),
    };
  }
  const store = await postgresStore(pgDriver(postgres.url));
  const close = async (): Promise<void> => {
    await store.close();
    await postgres.remove();
  };
  return { store, about: "Postgres of this machine", close };
}
