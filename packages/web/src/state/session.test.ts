import { describe, expect, it } from "vitest";
import { ApiError, type Api } from "../api.ts";
import { createSessionActions } from "./session.ts";
import { openParts } from "./testing/page-state.ts";

const refusal = (code: string, status = 401): ApiError =>
  new ApiError(`No: ${code}.`, status, code);

const nothing = async (): Promise<void> => undefined;

const spent = async (): Promise<void> => {
  throw refusal("wrong_link");
};

function session(api: Partial<Api>): {
  readonly start: (link?: string) => Promise<void>;
  readonly signUp: () => Promise<string | undefined>;
  readonly state: () => object;
} {
  const parts = openParts({
    models: async () => ({
      default: { model: "gpt-6-sol", level: "med" },
      instructions: 0,
      providers: [],
    }),
    ...api,
  });
  const actions = createSessionActions(
    parts,
    { pull: nothing, forget: () => undefined },
    { enter: nothing, leave: nothing, close: () => undefined },
  );
  return {
    start: actions.start,
    signUp: () => actions.signUp("ann", "correct horse"),
    state: () => {
      const { phase, door, hasPassword } = parts.box.get();
      return { phase, door, hasPassword };
    },
  };
}

describe("who comes with the link of a start", () => {
  it("is let in without an account", async () => {
    let isOpen = false;
    const { start, state } = session({
      enter: async () => {
        isOpen = true;
      },
      whoAmI: async () => {
        if (!isOpen) throw refusal("link_needed");
        return { userId: "owner", name: "you", hasPassword: false };
      },
    });
    await start();
    expect(state()).toMatchObject({ phase: "signed-out", door: { needsLink: true } });
    await start("link");
    expect(state()).toMatchObject({ phase: "ready", hasPassword: false });
  });

  it("hears why it does not work, unless the session is open already", async () => {
    const out = session({ enter: spent, whoAmI: () => Promise.reject(refusal("link_needed")) });
    await out.start("link");
    expect(out.state()).toMatchObject({ door: { needsLink: true, trouble: "No: wrong_link." } });
    const inside = session({ enter: spent, whoAmI: async () => ({ userId: "1", name: "ann" }) });
    await inside.start("link");
    expect(inside.state()).toMatchObject({ phase: "ready", hasPassword: true });
  });

  it("makes the first account where there is one to make, and sends the link along", async () => {
    const sent: unknown[] = [];
    const { start, signUp, state } = session({
      enter: () => Promise.reject(refusal("name_needed", 409)),
      whoAmI: () => Promise.reject(refusal("signed_out")),
      signUp: async (...given) => {
        sent.push(given);
        return { userId: "owner", name: "ann" };
      },
    });
    await start("link");
    expect(state()).toMatchObject({ door: { needsLink: false, link: "link" } });
    expect(await signUp()).toBeUndefined();
    expect(sent).toEqual([["ann", "correct horse", "link"]]);
    expect(state()).toMatchObject({ phase: "ready", door: { needsLink: false } });
  });
});
