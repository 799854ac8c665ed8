import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { History } from "mull";
import { expect, test } from "vitest";
import { listen } from "@mull/emulator/node";
import { jsonlConversation } from "@mull/store/jsonl";
import { smallDisk } from "../../../../test/small-disk.ts";
import { emptyHome, mull } from "../testing/fake-io.ts";
import { openSaver, type SaverOptions } from "./saver.ts";

const optionsFor = (folder: string, warnings: string[]): SaverOptions => ({
  folder,
  save: true,
  ref: "claude-opus-5-5",
  warn: (message) => warnings.push(message),
});

test("F-D8: an answer on a full disk is said not to be kept, and leaves nothing behind", async () => {
  const disk = await smallDisk(1);
  if (disk === undefined) return;
  await disk.fill(0);
  const warnings: string[] = [];
  const saver = await openSaver(optionsFor(disk.folder, warnings));
  await saver.begin([{ type: "text", text: "x".repeat(5000) }]);
  await saver.end(History.from([]), undefined);
  expect(warnings).toEqual(["This conversation is no longer saved: the disk is full"]);
  expect(await readdir(disk.folder)).toEqual(["filler"]);
  await disk.remove();
});

test("F-D8: a kept conversation goes on where it cannot be kept any more, and says so", async () => {
  const disk = await smallDisk(1, 4);
  if (disk === undefined) return;
  const kept = await jsonlConversation(join(disk.folder, "talk.jsonl"));
  await kept.append({ role: "user", parts: [{ type: "text", text: "one" }] });
  await kept.close();
  for (const name of ["a", "b"]) await writeFile(join(disk.folder, name), "");
  const warnings: string[] = [];
  const saver = await openSaver({ ...optionsFor(disk.folder, warnings), resume: "talk" });
  expect([saver.name, saver.history?.length]).toEqual([null, 1]);
  expect(warnings).toEqual([`This conversation is not saved: ${disk.folder}: the disk is full`]);
  await disk.remove();
});

test("a question that got nothing back leaves no conversation", async () => {
  const home = emptyHome();
  const env = { ANTHROPIC_API_KEY: "an-invalid-key" };
  await using service = await listening();
  const asked = { home, env: { ...env, ANTHROPIC_BASE_URL: service.url } };
  const failed = await mull(["hi", "--json"], asked);
  expect(JSON.parse(failed.out)).toMatchObject({ error: { category: "auth" }, conversation: null });
  expect((await mull(["conversations"], { home })).out).toBe("There is no conversation yet.\n");
  expect((await mull(["hi", "--json"], { home })).code).toBe(0);
  const later = await mull(["and now?", "-c", "--json"], asked);
  expect(JSON.parse(later.out).conversation).toMatch(/^[a-z]+-[a-z]+$/);
});

test("a refusal names its status once", async () => {
  await using service = await listening();
  const env = { ANTHROPIC_API_KEY: "an-invalid-key", ANTHROPIC_BASE_URL: service.url };
  const { err } = await mull(["hi"], { env });
  expect(err.match(/401/g)).toHaveLength(1);
});

async function listening() {
  const service = await listen();
  return { url: service.url, [Symbol.asyncDispose]: () => service.close() };
}
