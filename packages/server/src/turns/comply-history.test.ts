import type { HistoryJson, Message } from "mull";
import { describe, expect, it, vi } from "vitest";
import { testServer, textIn, type Visitor } from "../testing/test-server.ts";
import { transforms, type Transform } from "./comply-history.ts";

/** The three transforms, and how often they ran. */
const counted = () => {
  const runs = vi.fn<Transform>((messages) => messages);
  return { runs, stages: [runs, ...transforms] };
};

const importHistory = async (visitor: Visitor, history: HistoryJson): Promise<string> => {
  const { conversation } = await visitor.json<{ conversation: { id: string } }>(
    "POST",
    "/api/conversations/import",
    { history },
  );
  return conversation.id;
};

const change = (
  { entries, ...rest }: HistoryJson,
  answer: (message: Extract<Message, { role: "assistant" }>) => Message,
): HistoryJson => ({
  ...rest,
  entries: entries.map((entry) =>
    entry.message.role === "assistant" ? { ...entry, message: answer(entry.message) } : entry,
  ),
});

const withoutSeals = (history: HistoryJson): HistoryJson =>
  change(history, (message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type !== "thinking") return part;
      const { seal: _, ...rest } = part;
      return rest;
    }),
  }));

const reversed = (history: HistoryJson): HistoryJson =>
  change(history, (message) => ({ ...message, parts: message.parts.toReversed() }));

describe("R242: what a stored conversation goes through before it is sent", () => {
  it("what a service sealed goes on as it is", async () => {
    const { runs, stages } = counted();
    const ann = await testServer({ transforms: stages }).signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is the price of Bitcoin?");
    await ann.askWhole(id, "And 2 + 2?");
    await ann.json("GET", `/api/conversations/${id}/inspect`);
    expect(runs).not.toHaveBeenCalled();
  });

  it.each([
    ["thoughts that lost their seals", withoutSeals],
    ["calls that stand before every thought", reversed],
  ])("%s go through the transforms", async (_, rebuild) => {
    const { runs, stages } = counted();
    const ann = await testServer({ transforms: stages }).signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "What is the price of Bitcoin?");
    const { history } = await ann.json<{ history: HistoryJson }>(
      "GET",
      `/api/conversations/${id}/export`,
    );
    const imported = await importHistory(ann, rebuild(history));
    runs.mockClear();
    expect(textIn(await ann.askWhole(imported, "And 2 + 2?"))).toContain("4");
    expect(runs).toHaveBeenCalledOnce();
  });
});
