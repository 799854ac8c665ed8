import { fails, says, script, thinks } from "@mull/emulator";
import { expect, test } from "vitest";
import { mull } from "../testing/fake-io.ts";
import { startChat } from "./testing/chat.ts";

/** Nothing listens on the discard port. */
const nowhere = "http://127.0.0.1:9/v1";

test("F-N2: a local server that is not running: the address, its variable and how to start it", async () => {
  const chat = startChat({
    model: "ollama:qwen3",
    isUnprepared: true,
    env: { OLLAMA_BASE_URL: nowhere },
  });
  await chat.sees("? for keys");
  chat.type("hello\r");
  const text = (await chat.sees("Your message is back in the editor.")).join("\n");
  expect(text).toContain("fix   Is Ollama running? Start it with: ollama serve");
  expect(text).toContain(`The address is ${nowhere} (from OLLAMA_BASE_URL).`);
  expect(text).toContain("export OLLAMA_BASE_URL=…");
  expect(text).toContain("/retry");
  chat.type("\u0003");
  expect(await chat.leave()).toBe(0);
});

test("F-N2: one question says the same, once; a remote service is not asked whether it runs", async () => {
  const local = await mull(["-m", "ollama:qwen3", "hello"], { env: { OLLAMA_BASE_URL: nowhere } });
  expect(local.code).toBe(7);
  expect(local.err.match(/127\.0\.0\.1:9: /g)).toHaveLength(1);
  expect(local.err).toContain("Is Ollama running?");
  const remote = await mull(["-m", "gpt-6-sol", "hello"], {
    env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://user:word@mull.invalid/v1" },
  });
  expect(remote.err).toContain("Check your network.");
  expect(remote.err).toContain("http://mull.invalid/v1 (from OPENAI_BASE_URL)");
  expect(remote.err).not.toMatch(/running|word@|proxy/i);
});

test("a proxy that is set but not used is named", async () => {
  const env = {
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: "http://mull.invalid/v1",
    HTTPS_PROXY: "http://127.0.0.1:9",
  };
  const { err } = await mull(["-m", "gpt-6-sol", "hello"], { env });
  expect(err).toContain("HTTPS_PROXY is set, but Node 22.21 or newer uses it only with:");
  expect(err).toContain("export NODE_USE_ENV_PROXY=1");
  const told = await mull(["-m", "gpt-6-sol", "hello"], {
    env: { ...env, NODE_USE_ENV_PROXY: "1" },
  });
  expect(told.err).not.toContain("HTTPS_PROXY");
});

test("another model answers where the first one fails: the chat says who and why", async () => {
  const chat = startChat({
    model: "claude-opus-5-5",
    fallback: ["gpt-6-sol"],
    scripts: [
      {
        ...script({ model: "claude-*" }, [
          fails({ status: 400, type: "billing_error", message: "Your credit balance is too low." }),
        ]),
        repeat: true,
      },
      script({ model: "gpt-6-sol" }, [thinks("Hm."), says("Hello from the other one.")]),
    ],
  });
  await chat.say("hello");
  const text = (await chat.sees("Hello from the other one.")).join(" ").replaceAll(/\s+/g, " ");
  expect(text).toMatch(/⚠ claude-opus-5-5 has no quota left: .* gpt-6-sol answers instead\./);
  expect(await chat.leave()).toBe(0);
});

test("R529: /fallback names models, says them, and takes them back; an unknown one changes nothing", async () => {
  const chat = startChat({
    model: "claude-opus-5-5",
    scripts: [
      {
        ...script({ model: "claude-*" }, [
          fails({ status: 400, type: "billing_error", message: "Your credit balance is too low." }),
        ]),
        repeat: true,
      },
      { ...script({ model: "gpt-6-sol" }, [says("Hello from the other one.")]), repeat: true },
    ],
  });
  await chat.say("/fallback");
  await chat.sees("There is no fallback");
  await chat.say("/fallback gpt-6-sol,nonsense-1");
  await chat.sees("nonsense-1");
  await chat.say("/fallback gpt-6-sol");
  await chat.sees("When the chosen model fails: gpt-6-sol.");
  await chat.say("hello");
  await chat.sees("Hello from the other one.");
  await chat.say("/fallback off");
  await chat.sees(/There is no fallback[^]*There is no fallback/);
  expect(await chat.leave()).toBe(0);
});

test("--fallback names the models, and an unknown one is refused before anything is asked", async () => {
  const plain = await mull(["--fallback", "gpt-6-sol,nonsense-1", "hello"]);
  expect([plain.code, plain.out]).toEqual([2, ""]);
  expect(plain.err).toContain("nonsense-1");
});
