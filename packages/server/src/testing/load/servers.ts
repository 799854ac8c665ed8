import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { calculator, chatServer, listen, offlineSearch, searchWeb } from "@mull/server";
import { memoryStore, pgDriver, pgliteDriver, postgresStore, type Store } from "@mull/store";
import { createPlayer, writeBarely } from "./play-script.ts";
import { serviceDialect, uiDialect, type Script } from "./script.ts";

/** A server that runs in a process of its own. */
export interface ServerPlan {
  readonly kind: "bare" | "relay" | "upstream" | "ai-sdk" | "mull";
  /** Port of the upstream, for servers that need one. */
  readonly upstream?: number;
  /** Folder of the embedded database; memory when left out. */
  readonly data?: string;
  /** Address of a Postgres that it shares with others, and of a Redis. */
  readonly postgres?: string;
  readonly redis?: string;
  /** Passwords cost what they cost in production; almost nothing when left out. */
  readonly hasRealPasswords?: boolean;
}

const openHttp = async (listener: RequestListener): Promise<Server> => {
  const server = createServer(listener);
  // The longest queue of connections that the system allows.
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 });
  await once(server, "listening");
  return server;
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const serveHttp = async (listener: RequestListener): Promise<number> =>
  portOf(await openHttp(listener));

const readScript = async (message: IncomingMessage): Promise<Script> =>
  JSON.parse(await text(message)) as Script;

/** The lower bound: prepared events, one `write` each. */
function serveBare(): Promise<number> {
  const play = createPlayer(uiDialect);
  return serveHttp((message, response) => {
    void readScript(message).then((script) => play(response, script));
  });
}

interface ServiceRequest {
  readonly messages: readonly {
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  }[];
}

function scriptIn(body: string): Script {
  const { messages } = JSON.parse(body) as ServiceRequest;
  const content = messages.at(-1)?.content ?? "";
  const question =
    typeof content === "string"
      ? content
      : content.findLast((part) => part.text !== undefined)?.text;
  return JSON.parse(question ?? "") as Script;
}

/** The service behind the servers: it answers the last question, which is a script. */
function answerAsService(): RequestListener {
  const play = createPlayer(serviceDialect, writeBarely);
  return (message, response) => {
    text(message).then(
      (body) => play(response, scriptIn(body)),
      () => response.destroy(),
    );
  };
}

/** A service in this process. */
export async function startUpstream(): Promise<{
  readonly port: number;
  readonly close: () => Promise<void>;
}> {
  const server = await openHttp(answerAsService());
  return {
    port: portOf(server),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Passes the upstream's bytes on, untouched. */
function serveRelay(upstream: number): Promise<number> {
  return serveHttp((message, response) => {
    const relay = async (): Promise<void> => {
      const question = { role: "user", content: JSON.stringify(await readScript(message)) };
      const answer = await fetch(`http://127.0.0.1:${upstream}/v1/messages`, {
        method: "POST",
        body: JSON.stringify({ messages: [question] }),
      });
      response.writeHead(200, { "content-type": "text/event-stream" });
      for await (const bytes of answer.body ?? []) response.write(bytes);
      response.end();
    };
    relay().catch(() => response.destroy());
  });
}

/** What people write with the AI SDK: it stores nothing and has no accounts. */
async function serveAiSdk(upstream: number): Promise<number> {
  const [{ default: express }, { streamText }, { createAnthropic }] = await Promise.all([
    import("express"),
    import("ai"),
    import("@ai-sdk/anthropic"),
  ]);
  const anthropic = createAnthropic({
    baseURL: `http://127.0.0.1:${upstream}/v1`,
    apiKey: "load",
  });
  const app = express();
  app.use(express.json({ limit: "10mb" }));
  app.post("/", (request, response) => {
    const prompt = JSON.stringify(request.body);
    void streamText({ model: anthropic("claude-opus-4-5"), prompt }).pipeUIMessageStreamToResponse(
      response,
    );
  });
  return serveHttp(app);
}

/** Limited to what the machine can do; everything else as in production. */
const limits = {
  requestsPerSecond: 1e9,
  requestBurst: 1e9,
  attemptsPerAddress: 1e9,
  turnsPerUser: 1e9,
  turns: 1e9,
  readers: 1e9,
  tokensPerDay: 1e15,
  dollarsPerDay: 1e15,
} as const;

const openStore = async ({ data, postgres }: ServerPlan): Promise<Store> => {
  if (postgres !== undefined) return postgresStore(pgDriver(postgres));
  return data === undefined ? memoryStore() : postgresStore(await pgliteDriver(data));
};

async function serveMull(plan: ServerPlan): Promise<number> {
  const { upstream, postgres, redis, hasRealPasswords } = plan;
  const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${upstream}` };
  const app = chatServer({
    store: await openStore(plan),
    upstream: () => ({ env, apiKey: "load", isSimulated: false }),
    model: "claude-opus-5-5",
    system: "You are a helpful assistant.",
    tools: [searchWeb(offlineSearch), calculator],
    ...(hasRealPasswords !== true && { passwordCost: { log2N: 8, r: 8, p: 1 } }),
    limits,
    ownsLibrary: true,
    isShared: postgres !== undefined,
    ...(redis !== undefined && { redisUrl: redis }),
  });
  return (await listen(app, { port: 0 })).port;
}

/** Starts a server in this process and returns its address. */
export const startServer = (plan: ServerPlan): Promise<number> => {
  const { kind, upstream = 0 } = plan;
  if (kind === "bare") return serveBare();
  if (kind === "upstream") return serveHttp(answerAsService());
  if (kind === "ai-sdk") return serveAiSdk(upstream);
  return kind === "relay" ? serveRelay(upstream) : serveMull(plan);
};
