import { History } from "mull";
import { describe, expect, test } from "vitest";
import { Conductor, type Front } from "./conductor.ts";
import type { ChatSession } from "./session.ts";
import { fakeClock, type FakeClock } from "./testing/fake-clock.ts";
import { stub } from "../../../../test/stubs.ts";

interface Stuck {
  readonly conductor: Conductor;
  readonly clock: FakeClock;
  readonly said: string[];
  readonly isAbandoned: () => boolean;
}

const nothing = (): void => undefined;

const silentFront: Front = {
  say: nothing,
  echo: nothing,
  beginTurn: () => ({ take: nothing, decided: nothing, cut: nothing, end: nothing }),
  edit: () => true,
  giveBack: () => true,
  showAnswer: () => Promise.resolve(),
  page: () => Promise.resolve(),
  aside: (run) => run(),
  changed: nothing,
};

/** A turn that ignores every request to stop. */
async function stuckTurn(): Promise<Stuck> {
  const clock = fakeClock();
  const said: string[] = [];
  let isAbandoned = false;
  const front: Front = { ...silentFront, say: (lines) => said.push(...lines) };
  const session: Pick<ChatSession, "history" | "ask" | "abandon"> = {
    history: History.empty,
    // oxlint-disable-next-line require-yield -- it never comes to that
    ask: async function* () {
      await new Promise(nothing);
    },
    abandon: () => {
      isAbandoned = true;
    },
  };
  const conductor = new Conductor({
    session: session as ChatSession,
    io: undefined as never,
    front,
    clock,
    mode: "peek",
    onLeave: nothing,
  });
  void conductor.submit("question");
  await settled();
  return { conductor, clock, said, isAbandoned: () => isAbandoned };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe("Ctrl-C twice", () => {
  test("within 2 s: does not wait for what still runs", async () => {
    const { conductor, clock, said, isAbandoned } = await stuckTurn();
    conductor.stop();
    clock.pass(1999);
    expect([conductor.isRunning, isAbandoned()]).toEqual([true, false]);
    conductor.stop();
    await settled();
    expect([conductor.isRunning, isAbandoned()]).toEqual([false, true]);
    expect(said).toEqual(["■ stopped, without waiting for what was still running"]);
  });

  test("later: asks the turn once more and goes on waiting", async () => {
    const { conductor, clock, isAbandoned } = await stuckTurn();
    conductor.stop();
    clock.pass(2000);
    conductor.stop();
    await settled();
    expect([conductor.isRunning, isAbandoned()]).toEqual([true, false]);
    clock.pass(500);
    conductor.stop();
    await settled();
    expect([conductor.isRunning, isAbandoned()]).toEqual([false, true]);
  });
});

test("leaving at once waits for files that are being written, well or badly", async () => {
  const ended: string[] = [];
  const conductor = new Conductor({
    session: stub<ChatSession>({
      history: History.empty,
      end: () => Promise.resolve(void ended.push("left")),
    }),
    io: undefined as never,
    front: silentFront,
    clock: fakeClock(),
    mode: "peek",
    onLeave: nothing,
  });
  let write = nothing;
  const good = new Promise<void>((done) => {
    write = () => done(void ended.push("written"));
  });
  const bad = conductor.chat.keep(Promise.reject(new Error("full disk")));
  void conductor.chat.keep(good);
  const left = conductor.close();
  await expect(bad).rejects.toThrow("full disk");
  await settled();
  expect(ended).toEqual([]);
  write();
  await left;
  expect(ended).toEqual(["written", "left"]);
});

test("lines sent in one breath are taken in their order, and none waits for ever", async () => {
  const shown: string[] = [];
  const clock = fakeClock();
  const conductor = new Conductor({
    session: stub<ChatSession>({
      history: History.empty,
      // oxlint-disable-next-line require-yield -- it never comes to that
      ask: async function* () {
        await new Promise(nothing);
      },
    }),
    io: undefined as never,
    front: {
      ...silentFront,
      echo: (line) => shown.push(line),
      say: (lines) => shown.push(...lines),
      // Stays open: the help is longer than the window.
      page: () => new Promise(nothing),
    },
    clock,
    mode: "peek",
    onLeave: nothing,
  });
  const { chat } = conductor;
  Object.assign(chat, { io: { columns: 80, rows: 10 } });
  void conductor.submit("/help /fork");
  void conductor.submit("/help");
  void conductor.submit("first");
  await settled();
  expect(shown).toEqual([
    "/help /fork",
    "  /fork [NUMBER]  continue from an answer in a new conversation",
    "/help",
  ]);
  clock.pass(3000);
  await settled();
  expect(shown.slice(3)).toEqual(["first"]);
  void conductor.submit("second");
  await settled();
  expect(conductor.queued).toEqual(["second"]);
});
