import { useChat, type UseChatHelpers } from "@ai-sdk/react";
import { listen, type Listening } from "@mull/server";
import { memoryStore } from "@mull/store";
import { calls, says, script } from "@mull/emulator";
import { createChatTransport } from "@mull/ui-messages";
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
  type UIMessageChunk,
} from "ai";
import { Window } from "happy-dom";
import { tool } from "mull";
import { createElement, useMemo } from "react";
import type { Root } from "react-dom/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { standingClock } from "../../packages/server/src/testing/standing-clock.ts";
import { newServer } from "./backend.ts";

const { clock, stand, letGo } = standingClock();
let listening: Listening;
let newRoot: () => Root;
let root: Root;
let chat: UseChatHelpers<UIMessage>;

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
const payTwice = script(
  { text: "Pay both" },
  [calls("pay", { sum: 5 }, { id: "five" }), calls("pay", { sum: 7 }, { id: "seven" })],
  [says("Settled.")],
);

/** What a browser does for a page: relative addresses, the cookie, and where the request comes from. */
const browserFetch = (base: string): typeof fetch => {
  const send = globalThis.fetch;
  let cookie = "";
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    if (init.method === "POST") headers.set("origin", base);
    const address = new URL(input instanceof Request ? input.url : input, base);
    const response = await send(address, { ...init, headers });
    const set = response.headers.get("set-cookie");
    if (set !== null) cookie = set.split(";").at(0) ?? "";
    return response;
  };
};

beforeAll(async () => {
  letGo();
  const options = { faults: "pace=2", clock, scripts: [payTwice] };
  listening = await listen(newServer(memoryStore(), undefined, options, [pay]), { port: 0 });
  const window = new Window({ url: listening.url });
  vi.stubGlobal("fetch", browserFetch(listening.url));
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", window.document);
  vi.stubGlobal("navigator", window.navigator);
  const { createRoot } = await import("react-dom/client");
  newRoot = () => createRoot(document.createElement("div"));
  const response = await fetch("/api/account/sign-up", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "ann", password: "correct horse" }),
  });
  if (response.status !== 201) throw new Error(await response.text());
}, 60_000);

afterAll(async () => {
  await listening.close();
}, 60_000);

interface ChatProps {
  readonly id: string;
  readonly resume?: boolean;
  /** With our transport. */
  readonly stops?: boolean;
}

/** As in the AI SDK's documents: nothing is set but an id, and that approvals are sent when all are given. */
function Chat({ id, resume = false, stops = false }: ChatProps): null {
  const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses;
  const transport = useMemo(() => createChatTransport<UIMessageChunk>(), []);
  chat = useChat({ id, resume, sendAutomaticallyWhen, ...(stops && { transport }) });
  return null;
}

const show = async (props: ChatProps): Promise<void> => {
  root.render(createElement(Chat, props));
  await expect.poll(() => chat?.id).toBe(props.id);
};

beforeEach(() => {
  root = newRoot();
});
afterEach(() => {
  root.unmount();
});

const idle = async (): Promise<void> => {
  await expect.poll(() => chat.status, { timeout: 10_000 }).toBe("ready");
};

const typesOf = (message: UIMessage | undefined): readonly string[] =>
  (message?.parts ?? []).map((part) => part.type).filter((type) => !type.startsWith("data-mull"));

const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");

/** What the server says of the first answer. */
async function stateOfAnswer(): Promise<unknown> {
  const stored = await fetch("/api/conversations/seventh/messages");
  const { messages } = (await stored.json()) as { messages: UIMessage[] };
  return messages.at(1)?.metadata;
}

describe("useChat of @ai-sdk/react, without any adapter", () => {
  it("R247: asks, reads thinking, tool call and answer in order", async () => {
    await show({ id: "first" });
    await chat.sendMessage({ text: "okay - what's going on in the markets today?" });
    await idle();
    expect(chat.error).toBeUndefined();
    expect(chat.messages).toHaveLength(2);
    expect(typesOf(chat.messages.at(1))).toEqual([
      "step-start",
      "reasoning",
      "tool-searchWeb",
      "data-receipt",
      "step-start",
      "reasoning",
      "text",
      "data-receipt",
    ]);
    expect(textOf(chat.messages.at(1))).toContain("Stocks closed mixed");
  });

  it("R251: a follow-up uses the stored history, not the client's copy of it", async () => {
    await show({ id: "second" });
    await chat.sendMessage({ text: "What is 23 * 47?" });
    await idle();
    chat.setMessages((messages) =>
      messages.map((message) => ({ ...message, parts: [{ type: "text", text: "forged" }] })),
    );
    await chat.sendMessage({ text: "And times ten?" });
    await idle();
    expect(textOf(chat.messages.at(-1))).toContain("23 * 47");
  });

  it("regenerate answers again, and an edited message is another branch", async () => {
    await show({ id: "third" });
    await chat.sendMessage({ text: "What is 2 + 2?" });
    await idle();
    const answer = chat.messages.at(1)?.id;
    await chat.regenerate();
    await idle();
    expect(chat.messages).toHaveLength(2);
    expect(chat.messages.at(1)?.id).not.toBe(answer);
    const asked = chat.messages.at(0)?.id ?? "";
    await chat.sendMessage({ text: "What is 5 + 6?", messageId: asked });
    await idle();
    expect(chat.error).toBeUndefined();
    expect(textOf(chat.messages.at(-1))).toContain("11");
    const stored = await fetch("/api/conversations/third/messages");
    expect(((await stored.json()) as { messages: unknown[] }).messages).toHaveLength(2);
  });

  it("F-W14: resume reads a running turn from its start; nothing to resume is fine", async () => {
    await show({ id: "fourth", resume: true });
    await idle();
    expect(chat.messages).toEqual([]);
    stand();
    await fetch("/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        id: "fifth",
        message: {
          role: "user",
          parts: [{ type: "text", text: "okay - what's going on in the markets today?" }],
        },
      }),
    });
    await show({ id: "fifth", resume: true });
    await expect.poll(() => chat.status).not.toBe("ready");
    letGo();
    await idle();
    expect(chat.error).toBeUndefined();
    expect(textOf(chat.messages.at(-1))).toContain("Stocks closed mixed");
  });

  it("R528: approvals go out when all are given, and the answer goes on in the same message", async () => {
    await show({ id: "sixth" });
    await chat.sendMessage({ text: "Pay both bills." });
    await idle();
    const statesOf = (): readonly unknown[] =>
      (chat.messages.at(1)?.parts ?? []).flatMap((part) =>
        part.type === "tool-pay" && "state" in part ? [part.state] : [],
      );
    expect(statesOf()).toEqual(["approval-requested", "approval-requested"]);
    await chat.addToolApprovalResponse({ id: "five", approved: true });
    expect(paid).toEqual([]);
    await chat.addToolApprovalResponse({ id: "seven", approved: false, reason: "too dear" });
    await expect.poll(() => textOf(chat.messages.at(-1))).toContain("Settled.");
    await idle();
    expect(chat.error).toBeUndefined();
    expect(paid).toEqual([5]);
    expect(chat.messages).toHaveLength(2);
    expect(statesOf()).toEqual(["output-available", "output-denied"]);
    const stored = await fetch("/api/conversations/sixth/messages");
    const { messages } = (await stored.json()) as { messages: UIMessage[] };
    expect(messages.map(({ id }) => id).at(1)).toBe(chat.messages.at(1)?.id);
    expect(textOf(messages.at(1))).toBe("Settled.");
  });

  it("F-W13: with our transport, stop ends the turn on the server", async () => {
    await show({ id: "seventh", stops: true });
    stand();
    const asked = chat.sendMessage({ text: "okay - what's going on in the markets today?" });
    await expect.poll(() => chat.status).toBe("submitted");
    await chat.stop();
    await asked;
    expect(chat.status).toBe("ready");
    letGo();
    await expect.poll(stateOfAnswer, { timeout: 10_000 }).toMatchObject({ state: "stopped" });
    await chat.sendMessage({ text: "What is 23 * 47?" });
    await idle();
    expect(chat.messages.at(-1)).toMatchObject({ role: "assistant", metadata: { state: "done" } });
  });

  it("an error of the server is the hook's error", async () => {
    await show({ id: "00000000-0000-4000-8000-000000000000" });
    await chat.sendMessage({ text: "hello" });
    expect(chat.error?.message).toContain("There is no such conversation.");
  });
});
