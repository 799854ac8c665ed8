import { expect, it } from "vitest";
import { origin, testServer } from "../testing/test-server.ts";

it.each([
  ['"page"', 304],
  ['W/"page"', 304],
  ['"other", W/"page"', 304],
  ['"other"', 200],
  ["", 200],
])("the page is sent again to who knows it by %s with %i", async (known, status) => {
  const bytes = new TextEncoder().encode("<!doctype html>");
  const page = { type: "text/html", bytes, tag: '"page"', isHashed: false };
  const { app } = testServer({ files: new Map([["/index.html", page]]) });
  const answer = await app(`${origin}/`, { headers: { "if-none-match": known } });
  expect([answer.status, answer.headers.get("etag")]).toEqual([status, '"page"']);
});
