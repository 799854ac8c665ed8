import { Window } from "happy-dom";
import { createElement } from "react";
import type { Root } from "react-dom/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DELETE, GET, PATCH, POST } from "../examples/next-use-chat/app/api/[...path]/route.ts";

/**
 * Next.js itself is not installed here. What it does for these two files is little and done below:
 * requests under `/api/` go to the handler named after their method, the page is rendered by React.
 */
const site = "http://localhost:3000";
const handlers: ReadonlyMap<string, (request: Request) => Promise<Response>> = new Map(
  Object.entries({ DELETE, GET, PATCH, POST }),
);

/** The browser's part: relative addresses, the cookie, and where a request comes from. */
function browserFetch(): typeof fetch {
  let cookie = "";
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    headers.set("origin", site);
    const url = new URL(input instanceof Request ? input.url : input, site);
    const handle = handlers.get(init.method ?? "GET");
    if (handle === undefined || !url.pathname.startsWith("/api/"))
      throw new Error(`no route takes ${init.method} ${url.pathname}`);
    const response = await handle(new Request(url, { ...init, headers }));
    cookie = response.headers.get("set-cookie")?.split(";").at(0) ?? cookie;
    return response;
  };
}

let root: Root;
let place: HTMLElement;

beforeAll(async () => {
  const window = new Window({ url: site });
  vi.stubGlobal("fetch", browserFetch());
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", window.document);
  vi.stubGlobal("navigator", window.navigator);
  const { createRoot } = await import("react-dom/client");
  const { default: Page } = await import("../examples/next-use-chat/app/page.tsx");
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
  root.render(createElement(Page));
}, 60_000);
afterAll(() => {
  root.unmount();
});

const ask = async (): Promise<void> => {
  const isReady = (): boolean => place.querySelector("button")?.disabled === false;
  await expect.poll(isReady, { timeout: 10_000 }).toBe(true);
  const submit = new window.Event("submit", { bubbles: true, cancelable: true });
  place.querySelector("form")?.dispatchEvent(submit);
};

describe("examples/next-use-chat", () => {
  test("R247: the page signs up, asks, and shows thinking and answer", async () => {
    await ask();
    await expect.poll(() => place.querySelectorAll("section").length).toBe(2);
    await expect.poll(() => place.textContent, { timeout: 10_000 }).toContain("1,081");
    expect(place.querySelector("details")?.textContent).toMatch(/^Thinking.{20}/);
  });

  test("R251: it asks again in the same conversation", async () => {
    await ask();
    await expect.poll(() => place.querySelectorAll("section").length).toBe(4);
    await expect
      .poll(() => place.querySelectorAll("section")[3]?.textContent, { timeout: 10_000 })
      .toContain("1,081");
  });
});
