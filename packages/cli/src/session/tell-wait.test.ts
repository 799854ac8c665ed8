import { fails, says, script } from "@mull/emulator";
import { listen } from "@mull/emulator/node";
import { expect, test } from "vitest";
import { startChat } from "../repl/testing/chat.ts";
import { mull } from "../testing/fake-io.ts";

const busy = (ms: number) => fails({ status: 429, retry: { form: "ms", ms } });

test("F-R1: a wait between two tries is told where somebody watches, and nowhere else", async () => {
  const server = await listen({ scripts: [{ ...script({}, [busy(1)]), repeat: true }] });
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "loopback" };
  const watched = await mull(["hello"], { env, terminal: { stderr: true } });
  const piped = await mull(["hello"], { env });
  const quiet = await mull(["-q", "hello"], { env, terminal: { stderr: true } });
  await server.close();
  expect(watched.err).toContain("… trying again in 1 s: rate limited by Anthropic (429)");
  expect(piped.err + quiet.err).not.toContain("trying again");
});

test("F-R1: the chat tells of it and can be stopped", async () => {
  const chat = startChat({
    scripts: [script({ text: "hello" }, [busy(30_000)], [says("Hello.")])],
  });
  await chat.sees("? for keys");
  chat.type("hello\r");
  await chat.sees(/… trying again in 3\d s: rate limited by Anthropic \(429\)/);
  // It counts down.
  await chat.sees(/trying again in 2\d s/);
  chat.type("\u0003");
  await chat.sees("■ stopped before the answer began");
  chat.type("\u0003\u0003\u0003");
  expect(await chat.code).toBe(0);
});

test("F-R1: so does the chat in plain lines", async () => {
  const chat = startChat({
    settings: { plain: true },
    scripts: [script({ text: "hello" }, [busy(30_000)], [says("Hello.")])],
  });
  await chat.sees("you:");
  chat.type("hello\n");
  await chat.sees(/note: trying again in 3\d s: rate limited by Anthropic \(429\)/);
  chat.interrupt();
  await chat.sees("■ stopped before the answer began");
  chat.interrupt();
  expect(await chat.code).toBe(0);
});

test("F-R1: a wait too long to sit out is named, in the chat and behind one question", async () => {
  const scripts = [{ ...script({}, [busy(100_000)]), repeat: true }];
  const chat = startChat({ scripts });
  await chat.sees("? for keys");
  chat.type("hello\r");
  await chat.sees(
    "  fix   Anthropic asks you to wait 100 s.\n        /retry       the same question again",
  );
  chat.type("\u0003\u0003\u0003");
  expect(await chat.code).toBe(0);
  const server = await listen({ scripts });
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "loopback" };
  const { code, err } = await mull(["hello"], { env });
  await server.close();
  expect(code).toBe(4);
  expect(err).toContain("fix   Anthropic asks you to wait 100 s.\n");
});
