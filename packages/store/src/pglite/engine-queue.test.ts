import { describe, expect, test } from "vitest";
import type { SqlResult } from "../postgres/driver.ts";
import { createEngineQueue, type EngineQueue, type StatementOutcome } from "./engine-queue.ts";
import type { Statement } from "./protocol.ts";

/** An engine that answers when told to, and notes what it was given. */
function stubEngine() {
  const groups: (readonly string[])[] = [];
  const waiting: { readonly answer: () => void; readonly die: () => void }[] = [];
  const run = (group: readonly Statement[]): Promise<readonly StatementOutcome[]> =>
    new Promise((resolve, reject) => {
      groups.push(group.map(({ text }) => text));
      waiting.push({
        answer: () => resolve(group.map(outcomeOf)),
        die: () => reject(new Error("broke")),
      });
    });
  const step = async (how: "answer" | "die" = "answer"): Promise<void> => {
    waiting.shift()?.[how]();
    await new Promise(setImmediate);
  };
  return { groups, step, queue: createEngineQueue(run, async () => undefined) };
}

const outcomeOf = ({ text }: Statement): StatementOutcome =>
  text.startsWith("bad")
    ? { status: "rejected", reason: new Error(text) }
    : { status: "fulfilled", value: { rows: [{ text }], affected: 1 } };

const texts = (results: readonly SqlResult[]): readonly unknown[] =>
  results.map(({ rows }) => rows[0]?.["text"]);

const ask = (queue: EngineQueue, ...each: readonly string[]): Promise<SqlResult>[] =>
  each.map((text) => queue.query(text));

describe("the queue of an engine", () => {
  test("F-D1: what waits while the engine is busy goes together, in order", async () => {
    const { groups, step, queue } = stubEngine();
    const first = ask(queue, "a");
    await step();
    await step();
    const rest = ask(queue, "b");
    await new Promise(setImmediate);
    rest.push(...ask(queue, "c", "d"));
    await step();
    await step();
    expect(groups).toEqual([["a"], ["b"], ["c", "d"]]);
    expect(texts(await Promise.all([...first, ...rest]))).toEqual(["a", "b", "c", "d"]);
  });

  test("F-D1: a transaction keeps its place, and nobody comes between its steps", async () => {
    const { groups, step, queue } = stubEngine();
    const before = ask(queue, "a", "b");
    const inside = queue.transaction(async (sql) => {
      await sql.query("first");
      return sql.query("second");
    });
    const after = ask(queue, "c", "d");
    for (let steps = 0; steps < 7; steps++) await step();
    expect(groups).toEqual([["a", "b"], ["begin"], ["first"], ["second"], ["commit"], ["c", "d"]]);
    expect(texts([await inside])).toEqual(["second"]);
    expect(texts(await Promise.all([...before, ...after]))).toEqual(["a", "b", "c", "d"]);
  });

  test("F-D1: every member of a group has its own outcome", async () => {
    const { step, queue } = stubEngine();
    const all = Promise.allSettled(ask(queue, "a", "bad b", "c"));
    await new Promise(setImmediate);
    await step();
    expect((await all).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("F-D14: a group that dies in the middle acknowledges nothing", async () => {
    const { step, queue } = stubEngine();
    const all = Promise.allSettled(ask(queue, "a", "b", "c"));
    await new Promise(setImmediate);
    const later = ask(queue, "d");
    await step("die");
    expect(await all).toEqual(
      Array.from({ length: 3 }, () => ({ status: "rejected", reason: new Error("broke") })),
    );
    await step();
    expect(texts(await Promise.all(later))).toEqual(["d"]);
  });

  test("F-D1: a failed transaction is rolled back, and the queue goes on", async () => {
    const { groups, step, queue } = stubEngine();
    const failing = queue.transaction((sql) => sql.query("bad"));
    const after = ask(queue, "a");
    const ended = Promise.allSettled([failing]);
    for (let steps = 0; steps < 5; steps++) await step();
    expect(await ended).toEqual([{ status: "rejected", reason: new Error("bad") }]);
    expect(groups).toEqual([["begin"], ["bad"], ["rollback"], ["a"]]);
    expect(texts(await Promise.all(after))).toEqual(["a"]);
  });

  test("F-H3: large values and long queues make groups of their own", async () => {
    const { groups, step, queue } = stubEngine();
    const large = "x".repeat(1024 * 1024);
    const all = [
      queue.query("large", [large]),
      ...Array.from({ length: 150 }, (_, at) => queue.query(`small ${at}`)),
    ];
    for (let steps = 0; steps < 4; steps++) await step();
    await Promise.all(all);
    expect(groups.map(({ length }) => length)).toEqual([1, 100, 50]);
  });
});
