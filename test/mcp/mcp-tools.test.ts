import { spawn, type ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { calls, emulate, says, script } from "@mull/emulator";
import { Agent, type Tool } from "mull";
import { afterEach, describe, expect, it } from "vitest";
import { mcpTools, type McpOptions, type McpServer, type McpTools } from "@mull/mcp";

const { resolve } = createRequire(import.meta.url);
const binOf = (name: string): string =>
  join(dirname(resolve(`@modelcontextprotocol/${name}/package.json`)), "dist/index.js");
const program = (...args: readonly string[]): McpServer => ({ command: process.execPath, args });

const probe = program("--import", "tsx", join(import.meta.dirname, "probe-server.ts"));
const everything = program(binOf("server-everything"), "stdio");
/** For a start on a machine that has much else to do. */
const patient: McpOptions = { startMs: 60_000 };
const context = { callId: "1", signal: new AbortController().signal };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function open(
  servers: Parameters<typeof mcpTools>[0],
  options: McpOptions = {},
): Promise<McpTools> {
  const mcp = await mcpTools(servers, { ...patient, ...options });
  closing.push(mcp.close);
  return mcp;
}

const find = ({ tools }: McpTools, name: string): Tool => {
  const found = tools.find(({ spec }) => spec.name === name);
  if (found === undefined)
    throw new Error(`no ${name} in ${tools.map(({ spec }) => spec.name).join(" ")}`);
  return found;
};

describe("R521: servers from npm", () => {
  it("the everything server: text, pictures, resources and data come back as parts", async () => {
    const mcp = await open({ all: everything });
    expect(await find(mcp, "all_echo").run({ message: "hello" }, context)).toBe("Echo: hello");
    const picture = await find(mcp, "all_get-tiny-image").run({}, context);
    expect(picture).toContainEqual({
      type: "file",
      mediaType: "image/png",
      source: { type: "base64", data: expect.stringMatching(/^iVBOR/) },
    });
    const links = await find(mcp, "all_get-resource-links").run({ count: 2 }, context);
    expect(links).toMatch(/\[.+: demo:\/\/.+\]/);
    const weather = find(mcp, "all_get-structured-content");
    expect(await weather.run({ location: "Chicago" }, context)).toMatch(/temperature/);
    await expect(find(mcp, "all_get-sum").run({ a: "x" }, context)).rejects.toMatchObject({
      code: "tool_failed",
    });
  });

  it("the filesystem server reads and writes for an agent, and asks before it writes", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "mull-mcp-")));
    closing.push(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "plan.txt"), "Paint the fence.");
    const mcp = await open(
      { files: program(binOf("server-filesystem"), folder) },
      { approval: "writes" },
    );
    const path = join(folder, "done.txt");
    const agent = new Agent("claude-haiku-4-5/none", {
      fetch: emulate({
        scripts: [
          script(
            {},
            [calls("files_read_text_file", { path: join(folder, "plan.txt") })],
            [calls("files_write_file", { path, content: "painted" })],
            [says("Done.")],
          ),
        ],
      }),
      apiKey: "simulated",
      tools: () => mcp.tools,
    });
    const paused = await agent.send("Do what the plan says");
    expect(JSON.stringify(paused.messages)).toContain("Paint the fence.");
    expect(paused.pending).toMatchObject([{ why: "approval", call: { name: "files_write_file" } }]);
    agent.decide(paused.pending![0]!.call.id, "run");
    expect((await agent.resumeStream().result()).text).toBe("Done.");
    expect(await readFile(path, "utf8")).toBe("painted");
  });

  it("streamable HTTP; a session that the server lost with a restart is opened again", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    let server = await startHttp(port);
    const mcp = await open({ web: { url } });
    const echo = find(mcp, "web_echo");
    expect(await echo.run({ message: "one" }, context)).toBe("Echo: one");
    await stopHttp(server);
    await expect(echo.run({ message: "down" }, context)).rejects.toThrow(
      /fetch|socket|terminated|refused/i,
    );
    server = await startHttp(port);
    closing.push(() => stopHttp(server));
    expect(await echo.run({ message: "two" }, context)).toBe("Echo: two");
  });

  it("a call ends when the agent's time for it is up", async () => {
    const mcp = await open({ all: { ...everything, timeoutMs: 200 } });
    const agent = new Agent("gpt-6-sol/none", {
      fetch: emulate({
        scripts: [
          script(
            {},
            [calls("all_trigger-long-running-operation", { duration: 600, steps: 1 })],
            [says("Too slow.")],
          ),
        ],
      }),
      apiKey: "simulated",
      tools: () => mcp.tools,
    });
    const { messages } = await agent.send("Wait for it");
    expect(JSON.stringify(messages)).toContain("timed out after 200 ms");
    // The same connection goes on.
    expect(await find(mcp, "all_echo").run({ message: "still" }, context)).toBe("Echo: still");
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function startHttp(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [binOf("server-everything"), "streamableHttp"], {
    env: { PATH: process.env["PATH"], PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer !== undefined) return child;
    await sleep(50);
  }
}

async function untilWritten(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text !== "") return Number(text);
    await sleep(20);
  }
}

async function stopHttp(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

describe("R522: servers that fail and change", () => {
  it("a program that died is started again by the next call", async () => {
    const mcp = await open({ probe });
    await expect(find(mcp, "probe_die").run({}, context)).rejects.toThrow("Connection closed");
    expect(await find(mcp, "probe_shout").run({ text: "back" }, context)).toBe("BACK");
    await expect(find(mcp, "probe_fail_now").run({}, context)).rejects.toThrow("it broke");
  });

  it("a server learns the name and the version of this package", async () => {
    const { version } = createRequire(import.meta.url)("../../packages/mcp/package.json") as {
      readonly version: string;
    };
    const mcp = await open({ probe });
    expect(await find(mcp, "probe_client").run({}, context)).toBe(`mull ${version}`);
  });

  it("a server that cannot start is thrown with what it wrote, or left out for a listener", async () => {
    const broken = program("-e", "console.error('no such folder: /docs'); process.exit(1)");
    await expect(mcpTools({ broken, probe }, patient)).rejects.toMatchObject({
      code: "mcp_server",
      message: expect.stringMatching(
        /^The MCP server broken \(.*\) does not answer: .*It wrote: no such folder: \/docs$/s,
      ),
    });
    const silent = program("-e", "process.stdin.resume()");
    const troubles: string[] = [];
    const onTrouble = (name: string): unknown => troubles.push(name);
    const none = await open({ silent }, { startMs: 100, onTrouble });
    expect(none.tools).toEqual([]);
    const some = await open({ broken, probe }, { onTrouble });
    expect(some.tools.map(({ spec }) => spec.name)).toContain("probe_shout");
    expect(troubles).toEqual(["silent", "broken"]);
  });

  it.each([
    ["the end of its input", "process.on('SIGTERM', () => process.exit())"],
    ["the end of its input and SIGTERM", "process.on('SIGTERM', () => {})"],
  ])("a program that ignores %s is gone once its start is called off", async (_, ignore) => {
    const stop = new AbortController();
    const folder = await mkdtemp(join(tmpdir(), "mull-mcp-"));
    closing.push(() => rm(folder, { recursive: true }));
    const file = join(folder, "pid");
    const note = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid))`;
    const stubborn = program("-e", `${ignore}; ${note}; setInterval(() => {}, 1000)`);
    const starting = mcpTools(
      { stubborn },
      { ...patient, signal: stop.signal, onTrouble: () => 0 },
    );
    const pid = await untilWritten(file);
    stop.abort();
    await expect(starting).rejects.toMatchObject({ name: "AbortError" });
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("the agent's next request has the tools that a server offers by then", async () => {
    const changes = new EventEmitter();
    const changed = once(changes, "change");
    const mcp = await open({ probe }, { onChange: () => changes.emit("change") });
    const fetch = emulate({
      scripts: [
        script(
          {},
          [calls("probe_learn", {})],
          [says("Learnt.")],
          [calls("probe_sing", {})],
          [says("La.")],
        ),
      ],
    });
    const agent = new Agent("claude-haiku-4-5/none", {
      fetch,
      apiKey: "simulated",
      tools: () => mcp.tools,
    });
    await agent.send("Learn to sing");
    await changed;
    expect((await agent.send("Sing")).text).toBe("La.");
    const last = fetch.journal().at(-1)!;
    expect(JSON.stringify(last)).toContain("probe_sing");
  });

  it("names are those every service takes, each once", async () => {
    const long = "a".repeat(70);
    const mcp = await open({ "7 wonders": probe, [`${long}1`]: probe, [`${long}2`]: probe });
    const names = mcp.tools.map(({ spec }) => spec.name);
    expect(names).toContain("_7_wonders_shout");
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  });
});
