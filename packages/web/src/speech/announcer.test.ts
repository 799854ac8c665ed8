import type { UIMessage } from "@mull/ui-messages";
import { describe, expect, it } from "vitest";
import { createAnnouncer } from "./announcer.ts";

const message = (text: string, state = "running"): UIMessage => ({
  id: "t",
  role: "assistant",
  metadata: { state },
  parts: [
    {
      type: "reasoning",
      text: "x",
      state: "done",
      providerMetadata: { mull: { durationMs: 61_000 } },
    },
    { type: "text", text },
  ],
});

const call = (state: "input-available" | "approval-requested"): UIMessage => ({
  ...message("Well."),
  parts: [{ type: "tool-pay", toolCallId: "1", state, input: {} }],
});

describe("what a screen reader is told", () => {
  it("says finished paragraphs once, the rest at the end", () => {
    const announcer = createAnnouncer();
    expect(announcer.next(message("One.\n\nTw"), true, "paragraphs")).toEqual([
      "Thought for 1 minute 1 second",
      "Answering",
      "One.",
    ]);
    expect(announcer.next(message("One.\n\nTwo."), true, "paragraphs")).toEqual([]);
    expect(announcer.next(message("One.\n\nTwo.", "done"), false, "paragraphs")).toEqual([
      "Two.",
      "Done",
    ]);
    expect(announcer.next(message("One.\n\nTwo.", "done"), false, "paragraphs")).toEqual([]);
  });

  it("says the whole at the end, or nothing, as chosen", () => {
    const atEnd = createAnnouncer();
    atEnd.next(message("One.\n\nT"), true, "end");
    expect(atEnd.next(message("One.\n\nTwo.", "stopped"), false, "end")).toEqual([
      "One.\nTwo.",
      "Stopped",
    ]);
    expect(createAnnouncer().next(message("One."), true, "none")).toEqual([]);
  });

  it("asks about a call that waits, and is done only when the answer is", () => {
    const announcer = createAnnouncer();
    expect(announcer.next(call("input-available"), true, "end")).toEqual(["Calls pay"]);
    expect(announcer.next(call("approval-requested"), false, "end")).toEqual(["May pay run?"]);
    expect(announcer.next(call("input-available"), true, "end")).toEqual([]);
    expect(announcer.next(call("input-available"), false, "end")).toEqual(["Done"]);
  });

  it("is silent about what was there before", () => {
    expect(createAnnouncer().next(message("Old.", "done"), false, "paragraphs")).toEqual([]);
  });
});
