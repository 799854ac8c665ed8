import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { jsonlConversation, pgliteDriver, postgresStore } from "@mull/store";
import { play, readCassette } from "@mull/vcr";
import { History, resolveModel, textOf, type HistoryJson } from "mull";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";
import { emptyHome, jsonLines, mull } from "../packages/cli/src/testing/fake-io.ts";
import { readConfig } from "../packages/server/src/config.ts";
import { testServer, textIn } from "../packages/server/src/testing/test-server.ts";
import { agentAt, emulator, refusalsOf } from "./handoff/emulated.ts";

const fixtures = join(import.meta.dirname, "fixtures/0.1.0");
const read = (name: string): string => readFileSync(join(fixtures, name), "utf8");
const namesIn = (folder: string): readonly string[] =>
  readdirSync(join(fixtures, folder)).map((file) => basename(file).replace(/\.jsonl?$/, ""));

/** Opens the seals of 0.1.0's emulator: the same secret. */
const service = () => emulator({ seed: "later", secret: "0.1.0" });

const sealsOf = (history: History): readonly string[] =>
  history.messages
    .flatMap(({ parts }) => parts.flatMap(({ seal }) => Object.values(seal?.data ?? {})))
    .filter((value) => typeof value === "string");

/** As the files are named, so that the model can be asked again. */
const refOf = (name: string): string => (name === "gpt-5.1" ? `openai-chat:${name}` : name);

describe("a history that 0.1.0 wrote", () => {
  const kept = namesIn("histories").flatMap((name) =>
    Object.entries(JSON.parse(read(`histories/${name}.json`)) as Record<string, HistoryJson>).map(
      ([kind, json]) => ({ name, kind, json }),
    ),
  );

  test("covers every kind on every wire", () => {
    expect(kept).toHaveLength(66);
  });

  test.each(kept)("$name, $kind: opens, and goes on", async ({ name, kind, json }) => {
    const history = History.parse(JSON.stringify(json));
    expect(JSON.parse(JSON.stringify(history))).toEqual(json);
    const own = name === "every-model" ? "claude-sonnet-4-5" : refOf(name);
    for (const ref of new Set([own, "claude-opus-5-5", "gpt-6-sol", "gemini-3.8-flash"])) {
      const served = service();
      const agent = agentAt(ref, served, { history });
      for (const { call } of await agent.pendingCalls()) agent.decide(call.id, { output: "4 °C" });
      const isOpen = /^(?:open|cut)/.test(kind) && history.length > 0;
      const result = isOpen ? await agent.resumeStream().result() : await agent.send("And now?");
      expect(refusalsOf(served)).toEqual([]);
      expect(result.text).not.toBe("");
      if (ref !== own || !kind.endsWith("loop")) continue;
      const sent = JSON.stringify(served.journal()[0]?.body);
      for (const seal of sealsOf(history)) expect(sent).toContain(seal);
    }
  });
});

/** What a cassette answers to the requests that were recorded; why, where an answer breaks off. */
async function replay(name: string): Promise<readonly string[]> {
  const file = join(fixtures, "cassettes", `${name}.jsonl`);
  const tape = play(file);
  const replies: string[] = [];
  for (const { request } of readCassette(file).exchanges) {
    const { url, method, headers, json } = request;
    const response = await tape(url, { method, headers, body: JSON.stringify(json) });
    replies.push(await response.text().catch((error: unknown) => String(error)));
  }
  await tape.done();
  return replies;
}

describe("a cassette that 0.1.0 wrote", () => {
  const whole = namesIn("cassettes").filter((name) => name !== "cut");

  test.each(whole)("%s: opens, and plays what was recorded", async (name) => {
    const body = (await replay(name)).at(-1)!;
    const wire = resolveModel(refOf(name)).provider.wire.id;
    const { message } = readExchange({ wire, body, stream: true });
    expect(textOf(message)).toBe("Nine degrees in both.");
  });

  test("a stream that broke off breaks off again", async () => {
    expect(await replay("cut")).toEqual([expect.stringContaining("Error")]);
  });
});

const keepConversation = (name: string): { readonly home: string; readonly path: string } => {
  const home = emptyHome();
  const folder = join(home, ".local/share/mull/conversations");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.jsonl`);
  copyFileSync(join(fixtures, "conversations", `${name}.jsonl`), path);
  return { home, path };
};

describe("a conversation file that 0.1.0 wrote", () => {
  test.each(["claude", "gpt", "gemini", "chat"])(
    "%s: the command goes on with it",
    async (name) => {
      const { home, path } = keepConversation(name);
      const before = jsonLines(readFileSync(path, "utf8")).length;
      const asked = await mull(["-r", name, "-t", "calculator", "And what is 17 * 3?"], { home });
      expect(asked).toMatchObject({ code: 0, out: expect.stringContaining("51") });
      expect(jsonLines(readFileSync(path, "utf8")).length).toBeGreaterThan(before);
      const shown = await mull(["conversations", "show", name], { home });
      expect(shown.out).toContain("What is 23 * 47?");
      expect(shown.out).toContain("And what is 17 * 3?");
    },
  );

  test("one whose process died in a turn: the finished parts stay, and it goes on", async () => {
    const { path } = keepConversation("interrupted");
    const log = await jsonlConversation(path);
    const agent = agentAt("claude-opus-5-5", service(), { history: log.history() });
    expect(agent.history.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    await agent.resumeStream().result();
    await log.save(agent.history);
    await log.close();
    const again = await jsonlConversation(path);
    expect(again.history().messages).toEqual(agent.history.messages);
    await again.close();
  });
});

describe("a database that 0.1.0 wrote", () => {
  test("opens, closes the turn its server left, and takes the next one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mull-0.1.0-"));
    try {
      const driver = await pgliteDriver(folder);
      for (const statement of read("database.sql").split(/;\n(?=[A-Z]{5,6} |$)/))
        if (statement !== "") await driver.query(statement);
      const store = await postgresStore(driver);
      const recovered = await store.recoverTurns();
      expect(recovered.map(({ state }) => state)).toEqual(["interrupted"]);

      const { visitor } = testServer({ keptStore: store, emulator: { secret: "0.1.0" } });
      const ann = visitor();
      await ann.json("POST", "/api/account/sign-in", { name: "ann", password: "correct horse" });
      const { userId } = (await store.findAccount("Ann"))!;
      expect(await store.getPreferences(userId)).toEqual({ thinking: "open", theme: "dark" });
      const conversations = await store.listConversations(userId);
      expect(conversations).toHaveLength(6);
      const odd = conversations.find(({ title }) => title === "Odd characters")!;
      expect(await store.listMessages(userId, odd.id)).toMatchObject([
        { message: { parts: [{ type: "text", text: "a\u0000b \ud800 c" }] } },
      ]);
      for (const { id } of conversations) {
        const before = await store.listBranch(userId, id);
        expect(before.filter(({ unreadable }) => unreadable !== undefined)).toEqual([]);
        expect(textIn(await ann.askWhole(id, "What is 17 * 3?"))).toContain("51");
        const after = await store.listBranch(userId, id);
        expect(after.slice(0, before.length)).toEqual(before);
      }
      await store.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});

const homeWith = (...files: readonly (readonly [from: string, to: string])[]): string => {
  const home = emptyHome();
  mkdirSync(join(home, ".config/mull"), { recursive: true });
  for (const [from, to] of files) copyFileSync(join(fixtures, "config", from), join(home, to));
  return home;
};

describe("settings that were written for 0.1.0", () => {
  test("the user's file and the project's say model and level", async () => {
    const user = ["config.json", ".config/mull/config.json"] as const;
    const alone = await mull(["--simulate", "--plan", "hi"], { home: homeWith(user) });
    expect(alone.out).toMatch(/gpt-6-sol[^]*high/);
    const both = homeWith(user, ["mull.json", "mull.json"]);
    const { out } = await mull(["--simulate", "--plan", "hi"], { home: both });
    expect(out).toMatch(/claude-opus-5-5[^]*low/);
  });

  test("kept keys are found under both kinds of name", async () => {
    const home = homeWith(["keys.json", ".config/mull/credentials.json"]);
    const { out } = await mull(["keys", "--json"], { home });
    for (const provider of ["anthropic", "openai", "google"])
      expect(out).toMatch(new RegExp(`"${provider}"[^}]*credentials\\.json`));
    expect(out).not.toContain("of-nobody");
  });

  test("every variable of the server is read", () => {
    const lines = read("config/server.env").trim().split("\n");
    const env = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    expect(readConfig(env)).toEqual({
      port: 3001,
      host: "127.0.0.1",
      allowRemote: false,
      hosts: ["chat.example.com", "localhost"],
      isSecure: true,
      isClosed: true,
      secret: "not-a-secret-".repeat(3),
      databaseUrl: "postgres://mull@127.0.0.1/mull",
      approval: "writes",
      dataFolder: "/var/lib/mull",
      model: "claude-sonnet-4-5",
      level: "med",
      fallback: [],
      paceMs: 0,
      poolSize: 8,
      leaveMs: 0,
      drainMs: 10_000,
      leaseMs: 5000,
      limits: {},
      telemetry: "off",
      mcpServers: {
        files: { command: "mcp-files", args: ["/srv"] },
        web: { url: "https://mcp.example.com/" },
      },
    });
  });
});
