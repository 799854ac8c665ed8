import type { Message } from "mull";
import { expect, it } from "vitest";
import { listHistory } from "./read-inspection.ts";

const stopped = (text: string): Message => ({
  role: "assistant",
  parts: [
    { type: "thinking", text: "Hm.", visibility: "summary" },
    { type: "text", text, cut: true, send: false },
  ],
});

it("R197: what broke off is said to stay here, also where the rest of its answer goes on", () => {
  const history: readonly Message[] = [
    { role: "user", parts: [{ type: "text", text: "Go." }] },
    stopped("Half an ans"),
    { role: "user", parts: [{ type: "text", text: "Again." }] },
    stopped("And ano"),
  ];
  const rows = listHistory({
    history,
    withheld: [{ code: "thinking-withheld", message: 3, part: 0, detail: "nothing followed it" }],
    changes: [{ code: "empty-message", message: 3, detail: "nothing left to send" }],
  });
  expect(rows.map(({ kind, fate, detail }) => [kind, fate, detail])).toEqual([
    ["user", "same", undefined],
    ["think", "same", undefined],
    ["text", "withheld", "broke off, never sent"],
    ["user", "same", undefined],
    ["think", "withheld", "nothing followed it"],
    ["text", "withheld", "broke off, never sent"],
  ]);
});

it("R197: an answer of which nothing is left is withheld, one that is rewritten is changed", () => {
  const history: readonly Message[] = [
    { role: "assistant", parts: [{ type: "text", text: "" }] },
    { role: "user", parts: [{ type: "text", text: "A film" }] },
  ];
  const rows = listHistory({
    history,
    withheld: [],
    changes: [
      { code: "empty-message", message: 0, detail: "nothing left to send" },
      { code: "file-replaced", message: 1, part: 0, detail: "replaced by words" },
    ],
  });
  expect(rows.map(({ fate }) => fate)).toEqual(["withheld", "changed"]);
});
