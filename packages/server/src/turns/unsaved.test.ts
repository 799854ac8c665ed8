import { EventEmitter, once } from "node:events";
import { MullError } from "mull";
import { memoryStore, type Store } from "@mull/store";
import { describe, expect, it } from "vitest";
import { readChunks, testServer, type Visitor } from "../testing/test-server.ts";

const statesIn = async (visitor: Visitor, id: string): Promise<readonly string[]> => {
  const { turns } = await visitor.json<{ turns: readonly { readonly state: string }[] }>(
    "GET",
    `/api/conversations/${id}/turns`,
  );
  return turns.map(({ state }) => state);
};

const unavailable = (): Promise<never> =>
  Promise.reject(new MullError("away", { category: "server", code: "unavailable", status: 503 }));

describe("turns that could not be saved", () => {
  it("F-D7: the store comes back after the turn was given up: the conversation goes on", async () => {
    const real = memoryStore();
    const away = { is: false };
    const trying = new EventEmitter();
    const tried = once(trying, "finish");
    const store: Store = {
      ...real,
      finishTurn: (...given) => {
        if (!away.is) return real.finishTurn(...given);
        trying.emit("finish");
        return unavailable();
      },
    };
    const server = testServer({ keptStore: store, limits: { saveGraceMs: 20, saveMs: 0 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    away.is = true;
    const chunks = readChunks(await (await ann.ask(id, { text: "What is 2 + 2?" })).text());
    expect(chunks.at(-1)!.type).toBe("finish");
    expect(await statesIn(ann, id)).toEqual(["running"]);
    await tried;
    away.is = false;
    await expect.poll(() => statesIn(ann, id)).toEqual(["failed"]);
    expect((await ann.askWhole(id, "What is 3 + 3?")).at(-1)!.type).toBe("finish");
  });

  it.each(["reserve", "beginTurn"] as const)(
    "F-D7: a turn whose %s was done without a word of it doesn't close its conversation",
    async (silent) => {
      const real = memoryStore();
      let isSilent = false;
      const store: Store = {
        ...real,
        reserve: async (given, turn) => {
          const reserved = await real.reserve(given, turn);
          if (!isSilent || silent !== "reserve" || turn === undefined) return reserved;
          await real.beginTurn(turn);
          return unavailable();
        },
        beginTurn: async (turn) => {
          const begun = await real.beginTurn(turn);
          return isSilent ? unavailable() : begun;
        },
      };
      const server = testServer({ keptStore: store, limits: { turnsPerUser: 1 } });
      const ann = await server.signedUp("ann");
      const id = await ann.newConversation();
      isSilent = true;
      expect((await ann.ask(id, { text: "What is 2 + 2?" })).status).toBe(503);
      isSilent = false;
      await expect.poll(() => statesIn(ann, id), { timeout: 10_000 }).toEqual(["failed"]);
      await expect
        .poll(async () => (await ann.askWhole(id, "What is 3 + 3?")).at(-1)?.type, {
          timeout: 10_000,
        })
        .toBe("finish");
    },
  );

  it("F-D7: an answer that no store takes ends all the same", async () => {
    const real = memoryStore();
    const refused = new MullError("too deep", { category: "invalid_argument", code: "too_deep" });
    const isHard = { is: true };
    const trying = new EventEmitter();
    const tried = once(trying, "write");
    const refuse = (): Promise<never> => {
      trying.emit("write");
      return Promise.reject(refused);
    };
    const store: Store = {
      ...real,
      appendPart: (...given) => (isHard.is ? refuse() : real.appendPart(...given)),
      finishTurn: (userId, turnId, end) =>
        isHard.is && end.messages !== undefined ? refuse() : real.finishTurn(userId, turnId, end),
    };
    const server = testServer({ keptStore: store, limits: { saveGraceMs: 20 } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await (await ann.ask(id, { text: "What is 2 + 2?" })).text();
    await tried;
    isHard.is = false;
    await expect.poll(() => statesIn(ann, id)).toEqual(["failed"]);
    expect((await ann.askWhole(id, "What is 3 + 3?")).at(-1)!.type).toBe("finish");
  });

  it("F-W13: a stop that comes before the answer has begun is heard", async () => {
    const real = memoryStore();
    const stop = new EventEmitter();
    const asked = once(stop, "asked");
    let isHeld = false;
    const store: Store = {
      ...real,
      listBranch: async (...given) => {
        if (isHeld) await asked;
        return real.listBranch(...given);
      },
      findRunningTurn: async (...given) => {
        const found = await real.findRunningTurn(...given);
        stop.emit("asked");
        return found;
      },
    };
    const server = testServer({ keptStore: store, emulator: { faults: "pace=20" } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is 2 + 2?");
    isHeld = true;
    const asking = ann.ask(id, { text: "What is 3 + 3?" });
    await expect.poll(() => statesIn(ann, id)).toEqual(["done", "running"]);
    const stopped = await ann.json<{ turn: { state: string } }>("POST", `/api/chat/${id}/stop`);
    expect(stopped.turn.state).toBe("stopped");
    await (await asking).text();
  });
});
