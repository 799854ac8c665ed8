import { says, stalls, thinks } from "@mull/emulator";
import { describe, expect, test } from "vitest";

import { mull } from "../testing/fake-io.ts";
import { useServices } from "../testing/use-services.ts";

const question = "What is 23 * 47?";

const { service } = useServices();

describe("streams", () => {
  test("stdout is the answer and nothing else; simulated is said on stderr", async () => {
    const { code, out, err } = await mull([question]);
    expect(code).toBe(0);
    expect(out).toMatch(/^23 \* 47 = \*\*1,081\*\*/);
    expect(err).toMatch(/simulated: no API key found[^]*ANTHROPIC_API_KEY/);
    const asked = await mull(["--simulate", question], { env: { OPENAI_API_KEY: "loopback" } });
    expect(asked.err).toBe("⚠ simulated, as asked: the built-in emulator answers by rule.\n");
  });

  test("piped text comes before the question, and is a question by itself", async () => {
    const both = await mull(["--plan", "--json", "Sum it up."], { stdin: "A long text.\n" });
    const text = JSON.stringify(JSON.parse(both.out).request.body.messages);
    expect(text).toMatch(/A long text\.[^]*Sum it up\./);
    const alone = await mull([], { stdin: question });
    expect(alone).toMatchObject({ code: 0, out: expect.stringContaining("1,081") });
  });

  test("on a screen notes have rows of their own, and the last one is the receipt", async () => {
    const screen: string[] = [];
    const { err } = await mull([question], {
      terminal: { stdout: true, stderr: true },
      env: { NO_COLOR: "1" },
      out: (text) => Promise.resolve(void screen.push(text)),
    });
    expect(screen.join("")).toMatch(/[^\n]\n$/);
    expect(err).toMatch(
      /\n∴ thought · 39 tokens\nclaude-opus-5-5 · med · \$0\.\d{4} · mull -r [a-z]+-[a-z]+\n$/,
    );
  });

  test("F-C3 Ctrl-C on a terminal: what came, then one word, on rows of their own", async () => {
    const stop = new AbortController();
    const env = {
      ...(await service(says("Half an answer of two."), stalls(60_000))),
      NO_COLOR: "1",
    };
    const screen: string[] = [];
    const { code, err } = await mull([question], {
      terminal: { stdout: true, stderr: true },
      env,
      signal: stop.signal,
      out: (text) => {
        screen.push(text);
        stop.abort();
        return Promise.resolve();
      },
    });
    expect(code).toBe(130);
    expect(screen.join("")).toMatch(/^Half an [^]*\n$/);
    expect(err).toMatch(/\n■ stopped\nclaude-opus-5-5 · med · [^\n]*mull -r [a-z-]+\n$/);
  });

  test("a terminal shows Markdown as the chat does, a pipe has every byte of it", async () => {
    const markdown = "# Sum\n\n**1,081**, which is `23 * 47`.\n\n- one\n- two";
    const env = { ...(await service(says(markdown))), NO_COLOR: "1" };
    const seen = await mull([question], { env, terminal: { stdout: true } });
    expect(seen.out).toBe("Sum\n\n1,081, which is 23 * 47.\n\n• one\n• two\n");
    expect((await mull([question], { env })).out).toBe(markdown);
    const plain = await mull(["--plain", question], { env, terminal: { stdout: true } });
    expect(plain.out).toBe(`answer: ${markdown}\n`);
  });

  test("thinking is shown on stderr only where somebody looks, and -R and -q hide it", async () => {
    const terminal = { stderr: true };
    const thought = /I work out/;
    expect((await mull([question])).err).not.toMatch(thought);
    const { err } = await mull([question], { terminal, env: { NO_COLOR: "1" } });
    expect(err).toMatch(/^I work out .* 1,081\. Let me\ncheck that against/m);
    expect((await mull(["-R", question], { terminal })).err).not.toMatch(thought);
    expect((await mull(["-q", question], { terminal })).err).not.toMatch(thought);
    expect((await mull(["-R", "--json", question])).out).toMatch(thought);
  });

  test("NO_COLOR: no escape reaches stderr; with colour only dim does", async () => {
    const terminal = { stderr: true };
    const plain = await mull([question], { terminal, env: { NO_COLOR: "1" } });
    expect(plain.err).not.toContain("\u001b");
    const dim = await mull([question], { terminal });
    expect(dim.err).toContain("\u001b[2m");
  });

  test("F-C1 control characters of a model never reach a terminal raw, and pipes get every byte", async () => {
    const nasty = "a\u001b]52;c;aGk=\u0007b\u009bc\rd";
    const env = await service(thinks("hm\u001b[2J"), says(nasty));
    const watched = await mull([question], { env, terminal: { stdout: true, stderr: true } });
    // oxlint-disable-next-line no-control-regex -- looking for control characters is the test
    expect(watched.out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(watched.err).not.toContain("\u001b[2J");
    expect((await mull([question], { env })).out).toBe(nasty);
  });

  test("R36 a warning is said whatever level was asked for, auto too", async () => {
    const ran = await mull(["-m", "gpt-6-sol/auto", "--thinking-budget", "2000", question]);
    expect(ran.err).toContain(
      "⚠ gpt-6-sol takes no token budget: effort low is sent for a budget of 2,000.\n",
    );
  });

  test("without UTF-8 the signs are ASCII", async () => {
    const { err } = await mull([question], { env: { LC_ALL: "C" } });
    expect(err).toMatch(/^! simulated/);
  });
});
