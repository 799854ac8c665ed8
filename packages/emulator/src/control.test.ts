import { afterEach, describe, expect, it } from "vitest";

import { environmentLines, listen, type Listening } from "./node.ts";
import { says } from "./script/actions.ts";

const servers: Listening[] = [];
const start = async (): Promise<Listening> => {
  const server = await listen({ seed: "c" });
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer k" },
    body: JSON.stringify(body),
  });

const hi = { model: "gpt-6-sol", input: "Hi" };

describe("P-J6 the control endpoint", () => {
  it("loads scripts, plans faults, shows the journal and starts over", async () => {
    const { url } = await start();
    const loaded = await post(`${url}/__mull/scripts`, [{ turns: [[says("From a script.")]] }]);
    expect(await loaded.json()).toEqual({ loaded: 1 });
    expect(await (await post(`${url}/v1/responses`, hi)).text()).toContain("From a script.");
    await post(`${url}/__mull/faults`, {
      faults: "status=500",
      when: { model: "gpt-*" },
      times: 1,
    });
    expect((await post(`${url}/v1/responses`, hi)).status).toBe(500);
    expect((await post(`${url}/v1/responses`, { ...hi, max_output_tokens: 1 })).status).toBe(400);
    const journal = (await (await fetch(`${url}/__mull/journal`)).json()) as {
      readonly entries: readonly object[];
    };
    expect(journal.entries).toMatchObject([
      { number: 1, verdict: "answered", source: "script", model: "gpt-6-sol", body: hi },
      { number: 2, verdict: "failed", status: 500 },
      { number: 3, verdict: "refused", rule: "openai/least-output-cap" },
    ]);
    expect(await (await post(`${url}/__mull/reset`, {})).json()).toEqual({ reset: true });
    const emptied = await (await fetch(`${url}/__mull/journal`)).json();
    expect(emptied).toEqual({ entries: [] });
  });

  it.each([
    ["scripts", [{ turns: [[{ sings: "la" }]] }], "names no action"],
    ["scripts", "nothing", "must be an object"],
    ["faults", { faults: "boom" }, "is not understood"],
    ["faults", { when: {} }, "say what goes wrong"],
    ["faults", { faults: "empty", when: { wire: "smtp" } }, "when.wire: must be one of"],
  ])("explains what is wrong with %s %j", async (path, body, message) => {
    const { url } = await start();
    const answer = await post(`${url}/__mull/${path}`, body);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(message);
  });

  it("names what it can do when asked for something else", async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/__mull/nothing`);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining("POST /__mull/scripts"),
    ]);
    expect(await (await fetch(`${url}/__mull/health`)).json()).toMatchObject({ simulated: true });
  });
});

describe("listening", () => {
  it("is on loopback only, unless told otherwise", async () => {
    const { url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect(listen({ host: "0.0.0.0" })).rejects.toThrow('host: "0.0.0.0" is not loopback');
    const open = await listen({ host: "0.0.0.0", allowRemote: true });
    await open.close();
  });

  it("says in words which port it cannot have", async () => {
    const { port } = await start();
    await expect(listen({ port })).rejects.toMatchObject({
      isMullError: true,
      field: "port",
      message: `Port ${port} is taken. Choose another one, or 0 for any that is free.`,
    });
    await expect(listen({ port: 99_999 })).rejects.toThrow(
      "port: 99999 is not allowed. Allowed: 0 to 65535.",
    );
  });

  it("breaks the connection where the answer breaks", async () => {
    const { url, emulator } = await start();
    emulator.fault({ faults: "cut=200", times: 1 });
    const answer = await post(`${url}/v1/responses`, { ...hi, stream: true });
    await expect(answer.text()).rejects.toThrow(/terminated|aborted/);
  });

  it("prints the lines that point the SDKs at it", () => {
    const lines = environmentLines("http://127.0.0.1:8787").join("\n");
    expect(lines).toContain("ANTHROPIC_BASE_URL=http://127.0.0.1:8787\n");
    expect(lines).toContain("OPENAI_BASE_URL=http://127.0.0.1:8787/v1\n");
    expect(lines).toContain("GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8787\n");
  });

  it("serves 500 streams of 500 deltas at once without losing a byte", async () => {
    const words = Array.from({ length: 1500 }, (_, i) => `w${i}`).join(" ");
    const server = await listen({ scripts: [{ turns: [[says(words)]], repeat: true }] });
    servers.push(server);
    const ask = async (): Promise<string> => {
      const answer = await fetch(`${server.url}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
        body: JSON.stringify({
          model: "claude-opus-5-5",
          max_tokens: 100_000,
          stream: true,
          messages: [{ role: "user", content: "Hi" }],
        }),
      });
      return answer.text();
    };
    const texts = await Promise.all(Array.from({ length: 500 }, ask));
    const said = texts.map((text) =>
      [...text.matchAll(/"text_delta","text":"([^"]*)"/g)].map((match) => match[1]),
    );
    expect(said.every((deltas) => deltas.length === 500 && deltas.join("") === words)).toBe(true);
    expect(texts.every((text) => text.endsWith('data: {"type":"message_stop"}\n\n'))).toBe(true);
  }, 180_000);
});
