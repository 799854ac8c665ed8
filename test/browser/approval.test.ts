import { calls, says, script } from "@mull/emulator";
import { tool } from "mull";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, openStage, waitForAnswers, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const paid: number[] = [];
const pay = tool<{ readonly sum: number }>({
  name: "pay",
  input: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  needsApproval: true,
  run: ({ sum }) => {
    paid.push(sum);
    return `${sum} paid`;
  },
});

describe.runIf(inChromium)("a tool call that waits for a person", { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    const both = [
      calls("pay", { sum: 5 }, { id: "five" }),
      calls("pay", { sum: 7 }, { id: "seven" }),
    ];
    stage = await openStage({ tools: [pay], scripts: [script({}, both, [says("Settled.")])] });
  }, 60_000);
  afterAll(() => stage?.close());

  it("R528: the page asks, also when it is opened again, and goes on in the same answer", async () => {
    const { page, complaints } = await stage.visit();
    await ask(page, "Pay both bills.");
    const cards = page.getByRole("form", { name: "May pay run?" });
    await cards.nth(1).waitFor();
    expect(await cards.allTextContents()).toEqual([
      expect.stringContaining('"sum": 5'),
      expect.stringContaining('"sum": 7'),
    ]);
    await page.reload();
    await cards.nth(1).waitFor();
    await cards.first().getByRole("button", { name: "Yes, run it" }).click();
    await cards.nth(1).waitFor({ state: "detached" });
    expect(paid).toEqual([]);
    await page.reload();
    await cards.first().getByText('"sum": 7').waitFor();
    expect(await cards.count()).toBe(1);
    await cards.first().getByLabel("Why not").fill("too dear");
    await cards.first().getByRole("button", { name: "No" }).click();
    await page.locator(".answer").getByText("Settled.").waitFor();
    await waitForAnswers(page, 1);
    expect(paid).toEqual([5]);
    expect(await cards.count()).toBe(0);
    const states = page.locator(".tool .status");
    expect(await states.allTextContents()).toEqual([
      expect.stringContaining("✓"),
      expect.stringContaining("refused"),
    ]);
    expect(JSON.stringify(stage.journal().at(-1)?.body)).toContain("too dear");
    expect(complaints).toEqual([]);
  });
});
