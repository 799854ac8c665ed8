import { getEventListeners } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../../test/loopback.ts";
import { Agent } from "./agent.ts";
import { streamChat } from "../chat/ask.ts";
import type { Fetch } from "../types/http.ts";

const question = {
  messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }],
};

/** The warnings that Node prints while the test runs. */
function watchWarnings(): readonly string[] {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  return warnings;
}

test("thirty requests on one signal print no warning, and all of them stop", async () => {
  const warnings = watchWarnings();
  const controller = new AbortController();
  const { signal } = controller;
  let asked = 0;
  const fetch: Fetch = () => {
    asked++;
    return new Promise(() => undefined);
  };
  const all = Array.from({ length: 15 }, () => [
    streamChat("claude-opus-5-5", question, { apiKey: "k", fetch, signal }).result(),
    new Agent("claude-opus-5-5", { apiKey: "k", fetch }).send("Hi", { signal }),
  ]).flat();
  const ends = Promise.allSettled(all);
  await until(() => asked === all.length);
  controller.abort(new Error("enough"));
  for (const end of await ends) {
    expect(end).toMatchObject({ status: "rejected", reason: { category: "aborted" } });
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  // Node prints warnings in a later tick.
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(warnings).toEqual([]);
});
