import { describe, expect, test } from "vitest";
import { says, script } from "@mull/emulator";
import { emptyHome } from "../testing/fake-io.ts";
import { startChat } from "./testing/chat.ts";
import { updateNotice, type AskRegistry } from "./update-notice.ts";

const registry = "https://registry.invalid/npm";
const noon = Date.UTC(2026, 10, 15, 12);

interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly latest?: unknown;
  readonly now?: number;
  readonly fetch?: AskRegistry;
}

async function ask(world: World = {}): Promise<{ notice: string | undefined; asked: string[] }> {
  const asked: string[] = [];
  const home = world.home ?? emptyHome();
  const notice = await updateNotice({
    io: {
      env: world.env ?? { npm_config_registry: registry },
      home,
      cwd: home,
      now: () => world.now ?? noon,
    },
    version: "0.9.1",
    fetch: (url, init) => {
      asked.push(url);
      if (world.fetch !== undefined) return world.fetch(url, init);
      return Promise.resolve(Response.json({ latest: world.latest ?? "0.10.0" }));
    },
  });
  return { notice, asked };
}

const noNetwork: AskRegistry = () => Promise.reject(new TypeError("no network"));
const silence: AskRegistry = (_url, { signal }) =>
  new Promise((_, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason as Error));
  });

describe("the update notice", () => {
  test("names the newer version and how to get it, from npm's own registry", async () => {
    expect(await ask()).toEqual({
      notice: "mull 0.10.0 is available, you have 0.9.1: npm install -g @mull/cli",
      asked: [`${registry}/-/package/@mull%2fcli/dist-tags`],
    });
  });

  test.each([
    ["no registry is known", { env: {} }],
    ["in CI", { env: { npm_config_registry: registry, CI: "true" } }],
    ["NO_UPDATE_NOTIFIER", { env: { npm_config_registry: registry, NO_UPDATE_NOTIFIER: "1" } }],
    ["the registry is no address", { env: { npm_config_registry: "nowhere" } }],
    ["it cannot be remembered", { home: "/dev/null/nowhere" }],
  ])("is not asked for: %s", async (_why, world) => {
    expect(await ask(world)).toEqual({ notice: undefined, asked: [] });
  });

  test("once a day, answered or not", async () => {
    const home = emptyHome();
    expect((await ask({ home, fetch: noNetwork })).asked).toHaveLength(1);
    expect((await ask({ home, now: noon + 86_399_999 })).asked).toHaveLength(0);
    expect((await ask({ home, now: noon + 86_400_000 })).notice).toContain("0.10.0");
  });

  test.each(["0.9.1", "0.9.0", "1.0.0-beta.1", "\u001b[2J", 7, undefined])(
    "says nothing of %j",
    async (latest) => {
      const fetch = (): Promise<Response> => Promise.resolve(Response.json({ latest }));
      expect((await ask({ fetch })).notice).toBeUndefined();
    },
  );

  test("a registry that never answers is given 1.5 s", async () => {
    expect((await ask({ fetch: silence })).notice).toBeUndefined();
  });

  test("comes after the first answer, in the chat alone, once", async () => {
    const asked: string[] = [];
    const chat = startChat({
      scripts: [
        script({ text: "first" }, [says("One.")]),
        script({ text: "second" }, [says("Two.")]),
      ],
      env: { npm_config_registry: registry },
      fetch: (url) => {
        asked.push(url);
        return Promise.resolve(Response.json({ latest: "999.0.0" }));
      },
    });
    await chat.sees("? for keys");
    expect(asked).toEqual([]);
    await chat.say("first");
    const lines = await chat.sees("mull 999.0.0 is available");
    const text = lines.join("\n");
    expect(text.indexOf("One.")).toBeLessThan(text.indexOf("mull 999.0.0"));
    await chat.say("second");
    await chat.leave();
    expect(asked).toHaveLength(1);
  });
});
