import { memoryStore, type Store } from "@mull/store";
import { describe, expect, it } from "vitest";
import { testServer, type Visitor } from "./testing/test-server.ts";

interface Page {
  readonly messages: readonly { readonly id: string; readonly role: string }[];
  readonly branchings: readonly { readonly messageId: string }[];
  readonly running: unknown;
  readonly earlier?: string;
}

const read = (visitor: Visitor, id: string, query = ""): Promise<Page> =>
  visitor.json<Page>("GET", `/api/conversations/${id}/messages${query}`);

/** All pages of this many messages, earliest first. */
async function readPages(visitor: Visitor, id: string, limit: number): Promise<readonly Page[]> {
  const pages = [await read(visitor, id, `?limit=${limit}`)];
  for (let [first] = pages; first?.earlier !== undefined; [first] = pages) {
    pages.unshift(await read(visitor, id, `?limit=${limit}&before=${first.earlier}`));
  }
  return pages;
}

/** What is read from the store in full. */
function watched(): { readonly store: Store; readonly read: string[] } {
  const store = memoryStore();
  const seen: string[] = [];
  return {
    read: seen,
    store: {
      ...store,
      listMessages: (userId, id, ids) => {
        seen.push(`${ids?.length ?? "all"} messages`);
        return store.listMessages(userId, id, ids);
      },
      listTurns: (userId, id, options = {}) => {
        if (options.isBrief !== true) seen.push(`${options.ids?.length ?? "all"} receipts`);
        return store.listTurns(userId, id, options);
      },
    },
  };
}

describe("a long conversation", () => {
  it("F-W17: its pages are together what it is as a whole", async () => {
    const ann = await testServer().signedUp("ann");
    const id = await ann.newConversation();
    for (const text of ["What is 1 + 1?", "Search the web for the bitcoin price", "And 2 + 2?"]) {
      await ann.askWhole(id, text);
    }
    const { messages } = await read(ann, id);
    const retry = { messageId: messages.at(2)?.id };
    await (await ann.call("POST", `/api/chat/${id}/retry`, retry)).text();
    await ann.askWhole(id, "What is 3 + 3?");
    await ann.askWhole(id, "What is 4 + 4?");
    const whole = await read(ann, id);
    expect(whole.earlier).toBeUndefined();
    expect(whole.branchings.length).toBeGreaterThan(0);
    for (const limit of [1, 2, 3, 5, 100]) {
      const pages = await readPages(ann, id, limit);
      expect(pages.flatMap((page) => page.messages)).toEqual(whole.messages);
      expect(pages.flatMap((page) => page.branchings)).toEqual(whole.branchings);
      for (const page of pages) expect(page.messages[0]?.role).toBe("user");
    }
    expect(await readPages(ann, id, 1)).toHaveLength(4);
    expect(await readPages(ann, id, 100)).toHaveLength(1);
    const unknown = await ann.call("GET", `/api/conversations/${id}/messages?before=nowhere`);
    expect(unknown.status).toBe(404);
  });

  it("F-W17: only what is shown of it is read, and a turn reads no earlier receipts", async () => {
    const { store, read: seen } = watched();
    const ann = await testServer({ keptStore: store }).signedUp("ann");
    const id = await ann.newConversation();
    for (let nth = 0; nth < 6; nth++) await ann.askWhole(id, `What is ${nth} + 1?`);
    expect(seen).toEqual([]);
    const page = await read(ann, id, "?limit=2");
    expect(page.messages).toHaveLength(2);
    expect(seen).toEqual(["2 messages", "1 receipts"]);
  });
});
