import { expect, test } from "vitest";
import { decisionsIn } from "./decisions.ts";
import type { UIMessage, UIPart, UIToolPart } from "./ui-message.ts";

const part = (toolCallId: string, rest: Partial<UIToolPart>): UIPart => ({
  type: "tool-pay",
  state: "input-available",
  toolCallId,
  input: {},
  ...rest,
});

const answer = (...parts: readonly UIPart[]): UIMessage => ({ id: "1", role: "assistant", parts });

test("R528 what a person said is read from the last message, and nothing else is", () => {
  const message = answer(
    part("a", { state: "approval-responded", approval: { id: "a", approved: true } }),
    part("b", {
      state: "approval-responded",
      approval: { id: "b", approved: false, reason: "no" },
    }),
    part("c", { state: "approval-responded", approval: { id: "c" } }),
    part("d", { state: "approval-requested", approval: { id: "d" } }),
    part("e", { state: "output-available", output: 1, approval: { id: "e", approved: true } }),
    { type: "text", text: "approval-responded" },
  );
  expect(decisionsIn([message])).toEqual([
    { callId: "a", decision: "run" },
    { callId: "b", decision: { refuse: "no" } },
    { callId: "c", decision: { refuse: "" } },
  ]);
  expect(decisionsIn([message, { id: "2", role: "user", parts: [] }])).toEqual([]);
  expect(decisionsIn([])).toEqual([]);
});
