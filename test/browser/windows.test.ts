import { says, thinks } from "@mull/emulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, openStage, type Stage } from "./harness.ts";
import { inChromium } from "./in-chromium.ts";

const endless = Array.from({ length: 400 }, (_, n) => `Thought number ${n} of many.`).join(" ");

describe.runIf(inChromium)("many windows of one browser", { timeout: 60_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      faults: "pace=100",
      scripts: [{ when: { text: "endlessly" }, turns: [[thinks(endless), says("Done.")]] }],
    });
  }, 60_000);
  afterAll(() => stage?.close());

  it("F-W13 F-W14 all follow one answer, which can still be stopped from the last of them", async () => {
    const { page, context, complaints } = await stage.visit();
    await ask(page, "Think endlessly.");
    await page.getByText("Thought number 0").first().waitFor();
    const windows = [page];
    while (windows.length < 8) {
      const next = await context.newPage();
      await next.goto(page.url());
      await next.locator(".work summary", { hasText: /^Thinking…/ }).waitFor();
      windows.push(next);
    }
    await windows.at(-1)?.getByLabel("Message", { exact: true }).press("Escape");
    const stopped = "Stopped. The partial answer is kept here but won't be sent to the model.";
    await Promise.all(windows.map((each) => each.getByText(stopped).first().waitFor()));
    expect(complaints).toEqual([]);
    await context.close();
  });
});
