import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBackend, type Backend } from "./backend.ts";
import { criticalCases, lostOrder, signIn, testUser, type Setting } from "./cases.ts";
import { ChatClient } from "./client.ts";

const models = ["claude-sonnet-4-5", "claude-sonnet-5-5", "gpt-6-sol", "gemini-3.8-flash"] as const;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const user = {
  name: process.env["TEST_USER_EMAIL"] ?? testUser.name,
  password: process.env["TEST_USER_PASSWORD"] ?? testUser.password,
};

let backend: Backend;
let client: ChatClient;

beforeAll(async () => {
  backend = await findBackend(process.env["TEST_BACKEND_URL"], process.env["DATABASE_URL"]);
  client = new ChatClient(backend.url);
  print(`extended thinking compliance against ${backend.url} (${backend.about})`);
}, 60_000);

afterAll(async () => {
  await backend?.close();
}, 60_000);

const settingFor = async (model: string): Promise<Setting> => {
  const setting = { client, user, model, level: "med", print };
  await signIn(setting);
  return setting;
};

describe.each(models)("extended thinking compliance with %s", (model) => {
  it.each(criticalCases)("critical: %s", async (_, run) => {
    await expect(run(await settingFor(model))).resolves.toBeUndefined();
  });
});

describe("extended thinking compliance of what other programs stored", () => {
  it("R237 R246: a conversation whose storage lost the order of its parts goes on", async () => {
    const setting = await settingFor("claude-sonnet-4-5");
    await expect(lostOrder(setting)).resolves.toBeUndefined();
  });
});
