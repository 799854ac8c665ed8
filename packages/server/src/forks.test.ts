import { fails } from "@mull/emulator";
import { describe, expect, it } from "vitest";
import { testServer, type Visitor } from "./testing/test-server.ts";

interface UIAnswer {
  readonly id: string;
  readonly role: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly parts: readonly { readonly type: string; readonly data?: unknown }[];
}

const answersOf = async (visitor: Visitor, id: string): Promise<readonly UIAnswer[]> => {
  const { messages } = await visitor.json<{ messages: readonly UIAnswer[] }>(
    "GET",
    `/api/conversations/${id}/messages`,
  );
  return messages.filter(({ role }) => role === "assistant");
};

const receiptsOf = ({ parts }: UIAnswer): readonly unknown[] =>
  parts.filter(({ type }) => type === "data-receipt").map(({ data }) => data);

const text = (words: string): unknown => [{ type: "text", text: words }];

describe("forks and what was sent before", () => {
  it("R252: a fork shows model, level, cost and receipts of what it inherited", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "okay - what's going on in the markets today?");
    await ann.askWhole(id, "What is 2 + 2?", "gpt-6-sol");
    const first = (await answersOf(ann, id)).at(0)!;
    const spent = await ann.json("GET", "/api/usage?since=0");
    const fork = await ann.json<{ id: string }>("POST", `/api/conversations/${id}/fork`, {
      messageId: first.id,
    });
    expect(await ann.json("GET", "/api/usage?since=0")).toEqual(spent);
    await ann.call("DELETE", `/api/conversations/${id}`);
    const inherited = await answersOf(ann, fork.id);
    expect(inherited).toHaveLength(1);
    const { model, level, cost, usage, startedAt } = inherited.at(0)!.metadata!;
    expect({ model, level, cost, usage, startedAt }).toEqual({
      model: first.metadata!["model"],
      level: first.metadata!["level"],
      cost: first.metadata!["cost"],
      usage: first.metadata!["usage"],
      startedAt: first.metadata!["startedAt"],
    });
    expect(receiptsOf(inherited.at(0)!)).toHaveLength(2);
    expect(receiptsOf(inherited.at(0)!)).toEqual(receiptsOf(first));
    await ann.askWhole(fork.id, "What is 3 + 3?");
    expect(await answersOf(ann, fork.id)).toHaveLength(2);
  });

  it("R197: the inspector shows each request of an earlier answer", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "okay - what's going on in the markets today?");
    await ann.askWhole(id, "What is 2 + 2?");
    const answers = await answersOf(ann, id);
    const first = answers.at(0)!;
    const second = answers.at(1)!;
    const roles = async (query: string): Promise<readonly string[]> => {
      const { history } = await ann.json<{ history: readonly { role: string }[] }>(
        "GET",
        `/api/conversations/${id}/inspect${query}`,
      );
      return history.map(({ role }) => role);
    };
    expect(await roles(`?before=${first.id}`)).toEqual(["user"]);
    expect(await roles(`?before=${first.id}&step=2`)).toEqual(["user", "assistant", "tool"]);
    expect(await roles(`?before=${second.id}`)).toHaveLength(5);
    expect(await roles("")).toHaveLength(6);
    const beyond = await ann.call(
      "GET",
      `/api/conversations/${id}/inspect?before=${first.id}&step=9`,
    );
    expect(beyond.status).toBe(404);
  });

  it("R197: the inspector shows what was refused, also when it was tried again", async () => {
    const refusal = { when: { text: "refused" }, turns: [[fails({ status: 400 })]], repeat: true };
    const server = testServer({ emulator: { scripts: [refusal] } });
    const ann = await server.signedUp("ann");
    const id = await ann.newConversation();
    await ann.askWhole(id, "Be refused");
    await (await ann.call("POST", `/api/chat/${id}/retry`, {})).text();
    const answer = (await answersOf(ann, id)).at(0)!;
    const { history } = await ann.json<{ history: readonly unknown[] }>(
      "GET",
      `/api/conversations/${id}/inspect?before=${answer.id}`,
    );
    expect(history).toHaveLength(1);
  });

  it("R197: an imported answer has a request before it as well", async () => {
    const server = testServer();
    const ann = await server.signedUp("ann");
    const { conversation } = await ann.json<{ conversation: { id: string } }>(
      "POST",
      "/api/conversations/import",
      {
        messages: [
          { id: "1", role: "user", parts: text("one") },
          { id: "2", role: "assistant", parts: text("two") },
        ],
      },
    );
    const answer = (await answersOf(ann, conversation.id)).at(0)!;
    const { history } = await ann.json<{ history: readonly unknown[] }>(
      "GET",
      `/api/conversations/${conversation.id}/inspect?before=${answer.id}`,
    );
    expect(history).toHaveLength(1);
  });
});
