/** @jsxImportSource react */
"use client";

import { useChat } from "@ai-sdk/react";
import { createChatTransport } from "@mull/ui-messages";
import type { UIMessageChunk } from "ai";
import { useEffect, useState, type ReactElement } from "react";

/** Somebody must be signed in; a page of your own has a form for it. */
const signUp = (): Promise<Response> =>
  fetch("/api/account/sign-up", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: `guest-${crypto.randomUUID()}`, password: crypto.randomUUID() }),
  });

/** Its `stop()` stops the turn on the server, too. */
const transport = createChatTransport<UIMessageChunk>({ body: { model: "claude-opus-5-5" } });

export default function Page(): ReactElement {
  const [isIn, setIn] = useState(false);
  const [text, setText] = useState("What is 23 * 47?");
  const { messages, sendMessage, status, stop } = useChat({ transport });
  useEffect(() => {
    void signUp().then((answer) => setIn(answer.ok));
  }, []);
  return (
    <main>
      {messages.map((message) => (
        <section key={message.id}>
          {message.parts.map((part, index) => {
            if (part.type === "reasoning") {
              return (
                <details key={index}>
                  <summary>Thinking</summary>
                  {part.text}
                </details>
              );
            }
            return part.type === "text" ? <p key={index}>{part.text}</p> : null;
          })}
        </section>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sendMessage({ text }, { body: { level: "med" } });
        }}
      >
        <input value={text} onChange={(event) => setText(event.target.value)} />
        <button disabled={!isIn || status !== "ready"}>Ask</button>
        <button type="button" disabled={status === "ready"} onClick={() => void stop()}>
          Stop
        </button>
      </form>
    </main>
  );
}
