import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { emulate } from "@mull/emulator";
import { chat, findProvider, type Fetch } from "mull";
import { loadCredentials, removeCredential, storeCredential } from "mull/node";
import { afterAll, describe, expect, test } from "vitest";

import { chooseMode } from "../packages/vcr/src/vcr.ts";
import { isContractSkipped } from "./contract/skip.ts";
import { findBackend } from "./e2e/backend.ts";

const scratch = mkdtempSync(join(tmpdir(), "mull-environment-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const emulator = emulate({ unknownModels: "accept" });
const messages = [{ role: "user", parts: [{ type: "text", text: "2+2?" }] }] as const;

/** The header with the key that a question goes out with. */
async function keySent(
  model: string,
  header: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  let key: string | null = null;
  const fetch: Fetch = (url, init) => {
    key = new Headers(init.headers).get(header);
    return emulator(url, init);
  };
  await chat(model, { messages }, { fetch, env });
  return key;
}

const keys = [
  ["ANTHROPIC_API_KEY", "claude-sonnet-4-5", "x-api-key", "anthropic"],
  ["GOOGLE_API_KEY", "gemini-2.5-flash", "x-goog-api-key", "google"],
] as const;

describe("R387 variables that are honoured", () => {
  test.each(keys)("%s is the key of %s", async (variable, model, header) => {
    expect(await keySent(model, header, { [variable]: "from-the-environment" })).toBe(
      "from-the-environment",
    );
    await expect(keySent(model, header, {})).rejects.toMatchObject({ category: "auth" });
  });

  test("VCR_RECORD=1 records, nothing replays", () => {
    expect(chooseMode({ VCR_RECORD: "1" })).toBe("record");
    expect(chooseMode({})).toBe("replay");
  });

  test("IK_SKIP_CONTRACT_VALIDATION=1 switches the contract suites off, other values do not", () => {
    expect(isContractSkipped({ IK_SKIP_CONTRACT_VALIDATION: "1" })).toBe(true);
    expect(isContractSkipped({ IK_SKIP_CONTRACT_VALIDATION: "0" })).toBe(false);
    expect(isContractSkipped({})).toBe(false);
  });

  test("R261 TEST_BACKEND_URL names the backend of the compliance suite", async () => {
    const { url } = await findBackend("http://chat.test:4000", undefined);
    expect(url).toBe("http://chat.test:4000");
  });
});

describe("R388 credentials.json", () => {
  test.each(keys)(
    "holds keys by variable or vendor: %s",
    async (variable, model, header, vendor) => {
      const path = join(scratch, "credentials.json");
      for (const name of [variable, vendor]) {
        writeFileSync(path, JSON.stringify({ [name]: "from-the-file" }), { mode: 0o600 });
        const env = loadCredentials({ path, env: {} });
        expect(await keySent(model, header, env)).toBe("from-the-file");
        const both = loadCredentials({ path, env: { [variable]: "from-the-environment" } });
        expect(await keySent(model, header, both)).toBe("from-the-environment");
      }
    },
  );

  test("that is not there is no error", () => {
    expect(loadCredentials({ path: join(scratch, "nowhere.json"), env: {} })).toEqual({});
  });

  test("is changed for a provider, not for its id, and holds keys only", () => {
    const path = join(scratch, "untouched.json");
    const store: (...given: never[]) => unknown = storeCredential;
    const remove: (...given: never[]) => unknown = removeCredential;
    const wrong = ["openai", undefined, null, {}] as never[];
    for (const provider of wrong) {
      const refused = expect.objectContaining({ field: "provider" });
      expect(() => store(path as never, provider, "k" as never)).toThrow(refused);
      expect(() => remove(path as never, provider)).toThrow(refused);
    }
    const openai = findProvider("openai") as never;
    for (const key of ["", undefined, 5] as never[])
      expect(() => store(path as never, openai, key)).toThrow(/^key: /);
    expect(existsSync(path)).toBe(false);
  });
});
