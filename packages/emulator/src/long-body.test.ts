import { expect, it } from "vitest";

import { emulate } from "./emulate.ts";

const rounds = (): { readonly stop: () => number } => {
  let count = 0;
  let timer: ReturnType<typeof setTimeout>;
  const turn = (): void => {
    count++;
    timer = setTimeout(turn);
  };
  timer = setTimeout(turn);
  return {
    stop: () => {
      clearTimeout(timer);
      return count;
    },
  };
};

it("F-W17: lets others have the event loop between two pieces of work on a long request", async () => {
  const messages = Array.from({ length: 10_001 }, (_, nth) => ({
    role: nth % 2 === 0 ? "user" : "assistant",
    content: `What is ${nth} plus ${nth}?`,
  }));
  const watch = rounds();
  const response = await emulate()("https://api.anthropic.com/v1/messages", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": "k",
    },
    body: JSON.stringify({ model: "claude-opus-5-5", max_tokens: 100, messages }),
  });
  expect(response.status).toBe(200);
  expect(watch.stop()).toBeGreaterThan(10);
});
