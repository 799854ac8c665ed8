import { expect, test } from "vitest";
import type { CacheRow } from "./cache.ts";
import { startChat } from "../repl/testing/chat.ts";
import { emptyHome, mull } from "../testing/fake-io.ts";

test("R530: `mull cache` has a row a turn: what was read, written, expected, and why it missed", async () => {
  const home = emptyHome();
  const chat = startChat({
    home,
    model: "claude-haiku-4-5",
    level: "low",
    settings: { system: "Answer briefly, and never make anything up. ".repeat(400) },
    cache: { breakpoints: true },
  });
  await chat.sees("? for keys");
  await chat.say("What is 23 * 47?");
  await chat.say("And 2 + 2?");
  await chat.say("/level high");
  await chat.say("And 3 + 3?");
  await chat.leave();

  const rows = JSON.parse((await mull(["cache", "--json"], { home })).out) as readonly CacheRow[];
  expect(rows.map(({ miss }) => miss)).toEqual([null, null, { by: "request", reason: "level" }]);
  const [first, second, third] = rows;
  expect([first?.predicted, third?.predicted]).toEqual([null, 0]);
  expect(first?.written).toBeGreaterThan(1000);
  expect(second?.read).toBeGreaterThan((second?.predicted ?? Infinity) * 0.8);
  const { out } = await mull(["cache"], { home });
  expect(out.split("\n")[0]).toMatch(/^turn +model +in +read +written +predicted +missed +cost$/);
  expect(out).toMatch(/^3 +claude-haiku-4-5 .* another level +.*\$/m);
});

test("R530: without a cache it says what to do; a time that no service keeps is refused", async () => {
  const home = emptyHome();
  await mull(["-m", "claude-opus-5-5", "hello"], { home });
  expect((await mull(["cache"], { home })).out).toContain("--cache 1h");
  expect(await mull(["--cache", "2h", "hello"], { home })).toMatchObject({ code: 2, out: "" });
  const asked = await mull(
    ["-m", "claude-opus-5-5", "--cache", "1h", "--plan", "--json", "hello"],
    { home },
  );
  expect(asked.code).toBe(0);
});
