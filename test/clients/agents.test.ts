import { describe, expect, test } from "vitest";

import { leaveOut } from "../left-out.ts";
import { clients, vendors, type Client, type Task } from "./clients.ts";
import { whyMissing } from "./installed.ts";
import { tryClient } from "./trial.ts";

/** One foreign vendor each; `npm run test:clients` tries all of them. */
const foreign: readonly (readonly [client: string, vendor: string])[] = [
  ["Claude Code", "OpenAI"],
  ["Codex", "Anthropic"],
  ["Anthropic SDK", "Google"],
  ["OpenAI SDK, Responses", "Anthropic"],
  ["OpenAI SDK, Chat Completions", "Anthropic"],
  ["Google SDK", "OpenAI"],
];

const tasks: readonly Task[] = ["loop", "cancel", "overload"];

const pairs = foreign.map(([name, vendorName]) => {
  const client = clients.find((each) => each.name === name) as Client;
  return { client, vendor: vendors.find((each) => each.name === vendorName)! };
});
const present = pairs.filter(
  ({ client }) => whyMissing(client.command, client.package) === undefined,
);
if (present.length < pairs.length) leaveOut("clients");

/** A client that works ends within ten seconds; a busy machine may take its time. */
const limitMs = 120_000;

describe("clients that are tried here", () => {
  test("are clients of the table, on a vendor of the table", () => {
    expect(pairs.every(({ client, vendor }) => client !== undefined && vendor !== undefined)).toBe(
      true,
    );
  });
});

describe.each(present)("$client.name on $vendor.name", ({ client, vendor }) => {
  test.each(tasks)(
    "F-N6 %s",
    async (task) => {
      const { ok, note, printed } = await tryClient(client, vendor, task, limitMs);
      expect({ ok, note, printed: ok ? "" : printed }).toEqual({ ok: true, note, printed: "" });
    },
    limitMs + 30_000,
  );
});
