import { readFileSync } from "node:fs";
import { join } from "node:path";

import { emulate } from "@mull/emulator";
import { chatServer, offlineSearch, searchWeb } from "@mull/server";
import { memoryStore } from "@mull/store";
import type { Fetch, JsonObject, Level } from "mull";
import { describe, expect, it } from "vitest";
import { transforms, type Transform } from "../../packages/server/src/turns/comply-history.ts";
import { findBackend, newServer } from "./backend.ts";
import {
  followUp,
  followUpAfterTools,
  lostOrder,
  marketQuestion,
  signIn,
  testUser,
  type Setting,
} from "./cases.ts";
import { ChatClient } from "./client.ts";

const settingOn = (stages: readonly Transform[] | undefined, print: Setting["print"]): Setting => {
  const app = newServer(memoryStore(), stages);
  const client = new ChatClient("http://localhost:3001", (url, init) => app(url, init));
  return { client, user: testUser, model: "claude-sonnet-4-5", level: "med", print };
};

const printed = async (run: (setting: Setting) => Promise<void>): Promise<readonly string[]> => {
  const lines: string[] = [];
  const setting = settingOn(undefined, (line) => lines.push(line));
  await signIn(setting);
  await run(setting);
  return lines;
};

const isAnswered = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Whether a backend that nobody named is at the usual port. */
const isAtUsualPort = async (): Promise<boolean> => {
  const backend = await findBackend(undefined, undefined);
  try {
    if (!(await fetch(`${backend.url}/ready`)).ok) return false;
    // Where somebody else has the port, that one answers there.
    return backend.url.endsWith(":3001") || (await isAnswered("http://localhost:3001"));
  } finally {
    await backend.close();
  }
};

describe("the compliance suite", () => {
  it("R257 R254: asks what was asked when the error was found", () => {
    expect(marketQuestion).toBe("okay - what's going on in the markets today?");
    expect(followUp).toBe("And what about crypto specifically?");
  });

  it("R258 R262: prints five numbered steps, signing in first", async () => {
    const lines = await printed(followUpAfterTools);
    const steps = lines.flatMap((line) => /^\[\d\/5\] \w+/.exec(line) ?? []);
    expect([...new Set(steps)]).toEqual([
      "[1/5] signed",
      "[2/5] created",
      "[3/5] asked",
      "[4/5] stored",
      "[5/5] asked",
    ]);
    expect(lines[0]).toContain(testUser.name);
  });

  it("R259: step 4 tells messages, answers, their parts, tool calls and what comes first", async () => {
    const lines = await printed(followUpAfterTools);
    const at = lines.findIndex((line) => line.startsWith("[4/5]"));
    expect(lines[at]).toMatch(/^\[4\/5\] stored: \d+ messages, \d+ of the assistant$/);
    expect(lines[at + 1]).toMatch(/^ +\d+ parts, tool calls: yes, first part: thinking$/);
  });

  it("R260: a failure names the compliance error and what the provider said", async () => {
    const setting = settingOn(transforms.slice(0, 1), () => undefined);
    await signIn(setting);
    await expect(lostOrder(setting)).rejects.toThrow(
      /^THINKING BLOCK COMPLIANCE ERROR\n {2}\S.*(?:thinking|tool)/,
    );
  });

  it("R261: goes to port 3001 unless it is told where", async () => {
    await expect.poll(isAtUsualPort, { timeout: 60_000 }).toBe(true);
  }, 90_000);

  it("R263 R264: is one file that reads its setting from the environment and needs no other run", () => {
    const file = join(import.meta.dirname, "extended-thinking-compliance.test.ts");
    const variables = readFileSync(file, "utf8").matchAll(/process\.env\["(\w+)"\]/g);
    expect([...variables].map(([, name]) => name!).toSorted()).toEqual([
      "DATABASE_URL",
      "TEST_BACKEND_URL",
      "TEST_USER_EMAIL",
      "TEST_USER_PASSWORD",
    ]);
  });
});

/** The bodies a question sends upstream, where the server's own setting decides. */
async function bodiesAt(level: Level): Promise<readonly JsonObject[]> {
  const bodies: JsonObject[] = [];
  const emulator = emulate();
  const upstream: Fetch = (url, init) => {
    bodies.push(JSON.parse(init.body as string) as JsonObject);
    return emulator(url, init);
  };
  const app = chatServer({
    store: memoryStore(),
    upstream: () => ({ fetch: upstream, env: {}, apiKey: "simulated", isSimulated: true }),
    tools: [searchWeb(offlineSearch)],
    model: "claude-sonnet-4-5",
    level,
  });
  const client = new ChatClient("http://localhost:3001", (url, init) => app(url, init));
  await client.signIn(testUser.name, testUser.password);
  await client.ask(await client.createConversation(), marketQuestion);
  return bodies;
}

describe("the backend", () => {
  it("R248: thinks as its configuration says", async () => {
    expect((await bodiesAt("high"))[0]).toMatchObject({ thinking: { type: "enabled" } });
    expect((await bodiesAt("none"))[0]).not.toHaveProperty("thinking");
  });

  it("R249: offers searchWeb to the model", async () => {
    expect((await bodiesAt("med"))[0]?.["tools"]).toMatchObject([{ name: "searchWeb" }]);
  });
});
