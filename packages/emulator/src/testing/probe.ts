import { describe, expect, it } from "vitest";
import type { JsonObject } from "mull";

import { emulate } from "../emulate.ts";
import { ask, type WireName } from "./ask.ts";

/** One thing a service refuses, its words, and a neighbour it accepts. */
export interface Probe {
  readonly name: string;
  readonly refused: JsonObject;
  readonly text: string | RegExp;
  readonly status?: number;
  readonly accepted: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly acceptedHeaders?: Readonly<Record<string, string>>;
}

/** A plain text must be the whole message. */
const patternOf = (text: string | RegExp): RegExp =>
  typeof text === "string"
    ? new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`)
    : text;

/** Sends every probe and its neighbour to a fresh emulator. */
export const runProbes = (wire: WireName, probes: readonly Probe[]): void => {
  describe(`P-J2 every refusal of ${wire}`, () => {
    it.each(probes)("$name", async (probe) => {
      const emulator = emulate();
      const refused = await ask(emulator, wire, probe.refused, probe.headers);
      expect(refused.status).toBe(probe.status ?? 400);
      expect(refused.message).toMatch(patternOf(probe.text));
      const accepted = await ask(emulator, wire, probe.accepted, probe.acceptedHeaders);
      expect([accepted.status, accepted.message]).toEqual([200, ""]);
    });
  });
};
