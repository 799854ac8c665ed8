import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveModel } from "mull";
import { expect, test } from "vitest";
import { mull } from "../packages/cli/src/testing/fake-io.ts";
import { serve } from "../packages/server/src/serve.ts";

/** The model that a server with these variables asks unless told otherwise. */
const servedModel = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "mull-usual-"));
  const serving = await serve({ env: { ...env, PORT: "0", MULL_DATA: folder }, isByHand: true });
  try {
    const entrance = await serving.entrance;
    const link = entrance?.url.split("/").at(-1);
    const entered = await fetch(`${serving.url}/api/account/enter`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: serving.url },
      body: JSON.stringify({ link }),
    });
    const cookie = entered.headers.getSetCookie().map((each) => each.split(";")[0]);
    const shown = await fetch(`${serving.url}/api/models`, {
      headers: { cookie: cookie.join("; ") },
    });
    return ((await shown.json()) as { readonly default: { readonly model: string } }).default.model;
  } finally {
    await serving.close();
    await rm(folder, { recursive: true, force: true });
  }
};

const plannedModel = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const { out } = await mull(["plan", "-l", "med", "--json"], { env });
  const [first] = JSON.parse(out) as readonly { readonly ref: string }[];
  return first?.ref ?? "";
};

const idOf = (ref: string): string => {
  const { provider, model } = resolveModel(ref);
  return `${provider.id}:${model.id}`;
};

test.each([{}, { DEEPSEEK_API_KEY: "test", OPENAI_API_KEY: "test" }])(
  "terminal and server ask the same model with %j",
  async (env) => {
    expect(idOf(await servedModel(env))).toBe(idOf(await plannedModel(env)));
  },
);
