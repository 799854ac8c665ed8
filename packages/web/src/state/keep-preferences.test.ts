import { describe, expect, it } from "vitest";
import { ApiError, type Api } from "../api.ts";
import { firstState } from "./app-state.ts";
import { createBox } from "./box.ts";
import {
  copyKey,
  createPreferenceKeeper,
  readCopy,
  type PreferenceKeeper,
} from "./keep-preferences.ts";
import type { Preferences } from "./preferences.ts";
import { openBrowser, type Browser } from "./testing/page-state.ts";
import { stub } from "../../../../test/stubs.ts";

type Change = Partial<Preferences>;

interface Device {
  readonly keeper: PreferenceKeeper;
  readonly shown: () => Preferences;
  readonly copy: () => string | null;
  readonly theme: () => string | undefined;
}

/** A server that keeps what it is told, and devices of one user before it. */
function account(answer: (change: Change) => Promise<void> = async () => undefined): {
  readonly sent: Change[];
  readonly kept: () => Change;
  readonly device: (browser?: Browser) => Device;
} {
  const sent: Change[] = [];
  let kept: Change = {};
  const api = stub<Api>({
    preferences: async () => kept,
    changePreferences: async (change: Change) => {
      sent.push(change);
      await answer(change);
      kept = { ...kept, ...change };
    },
  });
  const device = ({ storage } = openBrowser()): Device => {
    const box = createBox(firstState(readCopy(null), undefined));
    let theme: string | undefined;
    const root = stub<HTMLElement>({
      setAttribute: (_: string, value: string) => {
        theme = value;
      },
      removeAttribute: () => {
        theme = undefined;
      },
    });
    return {
      keeper: createPreferenceKeeper({ api, box, storage }, root),
      shown: () => box.get().preferences,
      copy: () => storage.getItem(copyKey),
      theme: () => theme,
    };
  };
  return { sent, kept: () => kept, device };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("preferences of a user", () => {
  it("R252: what one device chooses another shows when it looks", async () => {
    const { device } = account();
    const [desk, phone] = [device(), device()];
    desk.keeper.change({ theme: "dark", level: "high" });
    phone.keeper.change({ thinking: "full" });
    await settled();
    await phone.keeper.pull();
    expect(phone.shown()).toMatchObject({ theme: "dark", level: "high", thinking: "full" });
    expect(phone.theme()).toBe("dark");
    expect(readCopy(phone.copy())).toEqual(phone.shown());
  });

  it("R252: a second tab of the browser follows the copy and sends nothing", async () => {
    const { device, sent } = account();
    const [one, two] = [device(), device()];
    one.keeper.change({ theme: "dark" });
    await settled();
    two.keeper.seeCopy(one.copy());
    expect(two.theme()).toBe("dark");
    expect(sent).toHaveLength(1);
  });

  it("F-D7: a server that is away is told later, what is newer counts", async () => {
    let isAway = true;
    const { device, kept, sent } = account(async () => {
      if (isAway) throw new ApiError("away", 0, "offline");
    });
    const desk = device();
    desk.keeper.change({ theme: "dark" });
    await settled();
    desk.keeper.change({ theme: "light", level: "low" });
    await settled();
    expect(kept()).toEqual({});
    isAway = false;
    await desk.keeper.pull();
    expect(sent.at(-1)).toEqual({ theme: "light", level: "low" });
    expect(desk.shown()).toMatchObject({ theme: "light", level: "low" });
  });

  it("F-D7: what was chosen right before the page was left is sent by the next one", async () => {
    let isHanging = true;
    const { device, kept } = account(async () => {
      if (isHanging) await new Promise(() => undefined);
    });
    const browser = openBrowser();
    const { keeper } = device(browser);
    keeper.change({ theme: "light" });
    keeper.change({ theme: "dark" });
    isHanging = false;
    const next = device(browser);
    await next.keeper.pull();
    expect([kept(), next.shown().theme]).toEqual([{ theme: "dark" }, "dark"]);
    await device(browser).keeper.pull();
    expect(kept()).toEqual({ theme: "dark" });
  });

  it("F-D7: what fails in the moment the network is back is sent once more", async () => {
    const failing: (() => void)[] = [];
    const { device, kept } = account(async () => {
      if (failing.length > 0) return;
      await new Promise((_, reject) => {
        failing.push(() => reject(new ApiError("away", 0, "offline")));
      });
    });
    const desk = device();
    desk.keeper.change({ theme: "dark" });
    const pulling = desk.keeper.pull();
    failing[0]?.();
    await pulling;
    expect(kept()).toEqual({ theme: "dark" });
  });

  it("F-D7: what the server refuses is not sent for ever", async () => {
    const { device, sent } = account(async () => {
      throw new ApiError("no such model", 400, "INVALID_ARG");
    });
    const desk = device();
    desk.keeper.change({ model: "gone" });
    await settled();
    await desk.keeper.pull();
    expect(sent).toHaveLength(1);
  });

  it("F-D11: a choice made while others' are fetched is not undone by them", async () => {
    const { device } = account();
    const desk = device();
    const pulling = desk.keeper.pull();
    desk.keeper.change({ theme: "dark" });
    await pulling;
    expect(desk.shown().theme).toBe("dark");
  });

  it("F-W1: what was not sent is forgotten with the session", async () => {
    const { device, kept } = account(async () => {
      throw new ApiError("away", 0, "offline");
    });
    const desk = device();
    desk.keeper.change({ theme: "dark" });
    await settled();
    desk.keeper.forget();
    await desk.keeper.pull();
    expect(kept()).toEqual({});
    expect(desk.shown().theme).toBe("system");
  });

  it("F-W1: what fails when its user has left is not sent for the next one", async () => {
    const failing: (() => void)[] = [];
    const { device, sent } = account(
      () =>
        new Promise((_, reject) => {
          failing.push(() => reject(new ApiError("signed out", 401, "auth")));
        }),
    );
    const desk = device();
    desk.keeper.change({ theme: "dark" });
    desk.keeper.forget();
    failing[0]?.();
    await desk.keeper.pull();
    expect(sent).toHaveLength(1);
  });

  it("reads whatever stands in the browser's storage", () => {
    for (const text of [null, "", "null", "[]", "{", '{"theme":"pink","level":7}']) {
      expect(readCopy(text)).toEqual({ theme: "system", thinking: "peek", speech: "paragraphs" });
    }
  });
});
