import { randomUUID } from "node:crypto";
import { pgDriver, postgresStore, type Store } from "@mull/store";
import { startPostgres, type LocalPostgres } from "@mull/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaveOut } from "../../../../test/left-out.ts";
import { startRedis, type LocalRedis } from "../testing/local-redis.ts";
import { spokenService, type SpokenService } from "../testing/spoken-service.ts";
import {
  readChunks,
  testServer,
  textIn,
  type TestServer,
  type Visitor,
} from "../testing/test-server.ts";

let postgres: LocalPostgres | undefined;
let redis: LocalRedis | undefined;
const stores: Store[] = [];
const servers: TestServer[] = [];

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  if (postgres === undefined) leaveOut("postgres");
  if (redis === undefined) leaveOut("redis");
}, 60_000);
afterAll(async () => {
  await Promise.all(servers.map(({ app }) => app.drain()));
  await Promise.all(stores.map((store) => store.close()));
  await Promise.all([redis?.stop(), postgres?.remove()]);
}, 60_000);

type Way = "redis" | "signals" | "nothing";
const ways: readonly Way[] = ["redis", "signals", "nothing"];
const canTest = (way: Way): boolean =>
  postgres !== undefined && (way !== "redis" || redis !== undefined);

async function newServer(
  way: Way,
  service: SpokenService,
  changed: Partial<Store> = {},
): Promise<TestServer> {
  const driver = pgDriver(postgres!.url);
  const { signals: _, ...silent } = driver;
  const store = await postgresStore(way === "nothing" ? silent : driver);
  stores.push(store);
  const server = testServer({
    keptStore: { ...store, ...changed },
    isShared: true,
    limits: { drainMs: 0 },
    upstream: () => ({ fetch: service.fetch, env: {}, apiKey: "k", isSimulated: true }),
    ...(way === "redis" && { redisUrl: redis!.url }),
  });
  servers.push(server);
  return server;
}

interface Talk {
  readonly service: SpokenService;
  readonly one: TestServer;
  readonly two: TestServer;
  readonly ann: Visitor;
  readonly there: Visitor;
  readonly id: string;
  /** The stream in the process that runs the turn. */
  readonly here: Stream;
}

/** A turn that runs in one process while its user is connected to another. */
async function beginTalk(way: Way, changed: Partial<Store> = {}): Promise<Talk> {
  const service = spokenService();
  const [one, two] = [await newServer(way, service, changed), await newServer(way, service)];
  const ann = await one.signedUp(`ann-${randomUUID()}`);
  const there = two.visitor();
  there.cookie = ann.cookie;
  const id = await ann.newConversation();
  const here = streamOf(await ann.ask(id, { text: "Tell me." }));
  return { service, one, two, ann, there, id, here };
}

interface Stream {
  readonly text: () => string;
  readonly all: () => string;
  readonly ended: Promise<void>;
}

/** Reads as events arrive. */
function streamOf(response: Response): Stream {
  let all = "";
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    for await (const bytes of response.body ?? []) all += decoder.decode(bytes, { stream: true });
  };
  return { text: () => textIn(readChunks(all)), all: () => all, ended: read() };
}

const follow = async ({ there, id }: Talk, after = 0): Promise<Stream> =>
  streamOf(await there.call("GET", `/api/chat/${id}/stream?after=${after}`));

describe.each(ways)("F-D6: a block that is being said in another process, by %s", (way) => {
  it("is heard word by word, from the start and from the middle, to the same end", async () => {
    if (!canTest(way)) return;
    const talk = await beginTalk(way);
    talk.service.say("One. ");
    await expect.poll(talk.here.text).toBe("One. ");
    const seen = readChunks(talk.here.all()).at(-1)!.at!;
    const [whole, rest] = [await follow(talk), await follow(talk, seen)];
    await expect.poll(whole.text, { timeout: 5000 }).toBe("One. ");
    for (const word of ["Two. ", "Three. "]) {
      const before = talk.here.text();
      talk.service.say(word);
      // The block isn't finished yet.
      await expect.poll(whole.text, { timeout: 5000 }).toBe(before + word);
    }
    await expect.poll(rest.text).toBe("Two. Three. ");
    talk.service.finish();
    await Promise.all([talk.here.ended, whole.ended, rest.ended]);
    expect(readChunks(whole.all()).at(-1)).toMatchObject({
      type: "finish",
      at: readChunks(talk.here.all()).at(-1)!.at,
    });
    expect(whole.text()).toBe("One. Two. Three. ");
  }, 30_000);

  it("is stopped from there, and every follower hears so", async () => {
    if (!canTest(way)) return;
    const talk = await beginTalk(way);
    talk.service.say("One. ");
    const followed = await follow(talk);
    await expect.poll(followed.text, { timeout: 5000 }).toBe("One. ");
    await talk.there.json("POST", `/api/chat/${talk.id}/stop`);
    await Promise.all([talk.here.ended, followed.ended]);
    expect(readChunks(followed.all()).at(-1)?.type).toBe("abort");
  }, 30_000);
});

it("F-D6: with Redis what is said need not be stored to be heard", async () => {
  if (!canTest("redis")) return;
  const talk = await beginTalk("redis", { storeTexts: async () => [] });
  const followed = await follow(talk);
  for (const word of ["One. ", "Two. "]) {
    const before = talk.here.text();
    talk.service.say(word);
    await expect.poll(followed.text, { timeout: 5000 }).toBe(before + word);
  }
  talk.service.finish();
  await followed.ended;
}, 30_000);

it("F-D6: following costs one statement for all turns, and reads no other message of their conversations", async () => {
  if (!canTest("nothing")) return;
  const asked: string[] = [];
  const talk = await beginTalk("nothing");
  const { store } = talk.two;
  const real = { ...store };
  Object.assign(store, {
    readNews: async (...given: Parameters<Store["readNews"]>) => {
      const news = await real.readNews(...given);
      asked.push(`news ${news.flatMap((each) => [...each.messages, ...each.texts]).length}`);
      return news;
    },
    listMessages: (...given: Parameters<Store["listMessages"]>) => {
      asked.push("all messages");
      return real.listMessages(...given);
    },
  });
  const followed = await Promise.all([1, 2, 3].map(() => follow(talk)));
  talk.service.say("One. ");
  await expect
    .poll(() => followed.map(({ text }) => text()), { timeout: 5000 })
    .toEqual(["One. ", "One. ", "One. "]);
  const looks = asked.length;
  // The last piece may have grown, so it is read again; nothing before it is.
  await expect.poll(() => asked.length, { timeout: 5000 }).toBeGreaterThan(looks + 5);
  expect(new Set(asked)).toEqual(new Set(["news 0", "news 1"]));
  talk.service.finish();
  await Promise.all(followed.map(({ ended }) => ended));
}, 30_000);

describe("F-D7: Redis goes away and comes back", () => {
  it("what is said meanwhile is heard through Postgres, and the log has one line for each", async () => {
    if (!canTest("redis")) return;
    const talk = await beginTalk("redis");
    talk.service.say("One. ");
    const followed = await follow(talk);
    await expect.poll(followed.text, { timeout: 5000 }).toBe("One. ");
    await redis!.stop();
    const lines = (): readonly string[] =>
      talk.two.logs.map(({ event }) => event).filter((event) => event.startsWith("redis"));
    await expect.poll(lines, { timeout: 10_000 }).toEqual(["redis-away"]);
    talk.service.say("Two. ");
    await expect.poll(followed.text, { timeout: 10_000 }).toBe("One. Two. ");
    await redis!.start();
    await expect.poll(lines, { timeout: 20_000 }).toEqual(["redis-away", "redis-back"]);
    talk.service.say("Three. ");
    await expect.poll(followed.text, { timeout: 10_000 }).toBe("One. Two. Three. ");
    talk.service.finish();
    await followed.ended;
    expect(readChunks(followed.all()).at(-1)?.type).toBe("finish");
  }, 60_000);
});
