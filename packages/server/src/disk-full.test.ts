import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundlePrograms, type Programs } from "../../../test/programs.ts";
import { smallDisk, type SmallDisk } from "../../../test/small-disk.ts";
import { killServers, serverSources, startServer, untilReady } from "./testing/child-server.ts";
import { readChunks, Visitor } from "./testing/test-server.ts";

const megabyte = 1024 * 1024;
let disk: SmallDisk | undefined;
let programs: Programs;
beforeAll(async () => {
  disk = await smallDisk(256);
  programs = await bundlePrograms("server", serverSources);
}, 60_000);
afterEach(async () => {
  await killServers();
  await disk?.empty();
}, 60_000);
afterAll(async () => {
  await programs.remove();
  await disk?.remove();
}, 60_000);

describe("F-D8: a real disk that is full", () => {
  it("F-D8: at the question it is 507; in mid turn the answer completes and is saved later", async () => {
    if (disk === undefined) return;
    const settings = { MULL_DATA: join(disk.folder, randomUUID()), MULL_PACE: "40" };
    const server = await startServer(settings, programs.pathOf("main"));
    await untilReady(server.url);
    const ann = new Visitor((address, init) => fetch(address, init), server.url);
    await ann.signUp("ann");
    const id = await ann.newConversation("claude-sonnet-4-5");

    await disk.fill(32 * megabyte);
    const status = async (): Promise<number> => {
      const response = await ann.call("POST", "/api/conversations", {});
      await response.text();
      return response.status;
    };
    await expect.poll(status, { timeout: 30_000 }).toBe(507);
    const refused = await ann.ask(id, { text: "What is 2 + 2?" });
    expect([refused.status, await refused.text()]).toEqual([507, expect.stringContaining("full")]);
    const path = `/api/conversations/${id}/messages`;
    expect((await ann.json<{ messages: unknown[] }>("GET", path)).messages).toEqual([]);

    await disk.empty();
    // Most of it again, but not so much that a write is refused: the rest is then taken in no time.
    await disk.fill(100 * megabyte);
    await expect.poll(status, { timeout: 30_000 }).toBe(201);
    const response = await ann.ask(id, { text: "Search the web for the bitcoin price" });
    await disk.fill(32 * megabyte);
    const chunks = readChunks(await response.text());
    expect(chunks.at(-1)?.type).toBe("finish");
    expect(chunks.map(({ type }) => type)).toContain("data-unsaved");
    await disk.empty();
    const states = async (): Promise<unknown> =>
      (await ann.json<{ turns: { state: string }[] }>("GET", `/api/conversations/${id}/turns`))
        .turns;
    await expect.poll(states, { timeout: 60_000 }).toMatchObject([{ state: "done" }]);
    expect((await ann.askWhole(id, "And the day before?")).at(-1)?.type).toBe("finish");
  }, 180_000);
});
