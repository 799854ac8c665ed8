import { emulate } from "@mull/emulator";
import { chat } from "mull";
import { expect, test } from "vitest";

import { AnswerDraft } from "./answer.ts";

test("an answer that is in the ledger does not grow when its abandoned stream ends", async () => {
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }];
  const step = await chat("claude-opus-5-5", { messages }, { apiKey: "k", fetch: emulate() });
  const draft = new AnswerDraft(0);
  draft.add(step);
  const answer = draft.finish(1, 2);
  draft.cut("stopped", [{ ...step.receipt, unfinished: true }]);
  expect(answer?.receipts).toHaveLength(1);
});
