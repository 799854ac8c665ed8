import type { StoredMessage, Turn } from "@mull/store";
import { describe, expect, it } from "vitest";
import type { Asked } from "./asker.ts";
import { judge, type Kept } from "./judge.ts";
import { planTrouble } from "./soak.ts";

const stamp = (ms: number): string => `@${(ms * 1000).toString(36)};`;
const said = (...ms: readonly number[]): string => ms.map(stamp).join("");

const asked = (given: Partial<Asked>): Asked => ({
  userId: "ann",
  conversation: "talk",
  mark: "mark-1",
  turn: "turn-1",
  seen: "",
  readOn: 0,
  refused: [],
  ...given,
});

const message = (id: string, role: "user" | "assistant", text: string): StoredMessage => ({
  id,
  parentId: null,
  turnId: "turn-1",
  createdAt: 0,
  message: { role, parts: [{ type: "text", text }] },
});

const turn = (id: string, messageId: string): Turn => ({
  id,
  conversationId: "talk",
  messageId,
  state: "done",
  owner: "one",
  startedAt: 0,
  leaseUntil: 0,
  info: {},
});

const kept = (text: string, more: Partial<Kept> = {}): Kept => ({
  messages: [message("q", "user", "… mark-1"), message("a", "assistant", text)],
  turns: [turn("turn-1", "q")],
  ...more,
});

const clean = { acknowledged: 1, stored: 1, lost: 0, doubled: 0, differing: 0, unstored: 0 };
const whole = asked({ seen: said(1, 2), end: "finish" });

describe("the verdict of a soak", () => {
  it("is clean when all is stored as it was read", () => {
    expect(judge([whole], () => kept(said(1, 2)))).toMatchObject({ ...clean, whole: 1 });
  });

  it("tells what was acknowledged and is not there, and nothing of what was refused", () => {
    const nothing = { messages: [], turns: [] };
    const { turn: _, ...unsent } = asked({ refused: ["502", "502"] });
    const found = judge([asked({}), unsent], () => nothing);
    expect(found).toMatchObject({ acknowledged: 1, stored: 0, lost: 1, refused: { "502": 2 } });
  });

  it("tells a question that is there twice, and one that is answered twice", () => {
    const twice = kept(said(1, 2), {
      messages: [...kept(said(1, 2)).messages, message("q2", "user", "… mark-1")],
    });
    const turns = [turn("turn-1", "q"), turn("turn-2", "q")];
    expect(judge([whole], () => twice).doubled).toBe(1);
    expect(judge([whole], () => kept(said(1, 2), { turns })).doubled).toBe(1);
  });

  it("tells a whole answer that is stored otherwise than it was read", () => {
    for (const text of [said(1), said(1, 2, 3), said(2, 1)]) {
      expect(judge([whole], () => kept(text)).differing).toBe(1);
    }
  });

  it("tells how much of a broken answer was read and is not stored", () => {
    const cut = asked({ seen: said(1000, 1500, 2250), end: "abort" });
    const found = judge([cut], () => kept(said(1000)));
    expect(found).toMatchObject({ ...clean, unstored: 1, unstoredMs: 750 });
    expect(judge([cut], () => kept(said(1000, 1500, 2250, 3000)))).toMatchObject(clean);
    expect(judge([cut], () => kept(said(1000, 1700))).differing).toBe(1);
  });
});

describe("what happens in a soak", () => {
  it.each([60, 600])(
    "kills every 20 of %s seconds, and restarts both databases once",
    (seconds) => {
      const plan = planTrouble(seconds);
      const times = (what: string): number[] =>
        plan.filter((each) => each.what === what).map(({ at }) => at);
      expect(times("kill")).toHaveLength(seconds / 20);
      expect([times("postgres"), times("redis-away"), times("redis-back")].flat()).toHaveLength(3);
      const [away = 0, back = 0] = [...times("redis-away"), ...times("redis-back")];
      expect(away).toBeLessThan(back);
      expect(plan.every(({ at }) => at < seconds)).toBe(true);
    },
  );
});
