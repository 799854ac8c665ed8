import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaveOut } from "../../../test/left-out.ts";
import { bundlePrograms, type Programs } from "../../../test/programs.ts";
import { serverSources } from "./testing/child-server.ts";
import { askOn, type Asked } from "./testing/soak/asker.ts";
import { startFleet } from "./testing/soak/fleet.ts";
import { lookAt } from "./testing/soak/soak.ts";

let programs: Programs;
beforeAll(async () => {
  programs = await bundlePrograms("server", serverSources);
}, 120_000);
afterAll(() => programs.remove());

const askers = 12;
const rounds = 2;
/** Far longer than any answer here takes, even on the slowest machine. */
const drainSeconds = 120;

describe("F-D16: servers behind nginx are restarted one after another, under load", () => {
  it.each([0, 2])(
    "F-D16: with %s seconds to leave no question is refused, and no answer is cut",
    async (leaveSeconds) => {
      const env = {
        MULL_LEAVE_SECONDS: String(leaveSeconds),
        MULL_DRAIN_SECONDS: String(drainSeconds),
      };
      const fleet = await startFleet({ servers: 2, program: programs.pathOf("main"), env });
      if (fleet === undefined) {
        leaveOut("fleet");
        return;
      }
      try {
        let isOver = false;
        const noted: Asked[] = [];
        const asking = Array.from({ length: askers }, () =>
          askOn(
            {
              url: fleet.url,
              random: Math.random,
              leaves: 0,
              perTalk: 20,
              events: { least: 1, most: 45 },
              isOver: () => isOver,
              signal: AbortSignal.timeout(300_000),
            },
            noted,
          ),
        );
        const all = Promise.all(asking);
        all.catch(() => undefined);
        const codes: (number | null)[] = [];
        for (let round = 0; round < rounds; round++) {
          for (const server of fleet.servers) {
            const before = noted.length;
            codes.push(await server.restart());
            // The next one stops once this one is in use again.
            while (noted.length < before + askers) await sleep(20);
          }
        }
        isOver = true;
        await all;
        const { refused, lost, doubled, differing, whole } = await lookAt(fleet, noted);
        expect({ codes: new Set(codes), refused, lost, doubled, differing }).toEqual({
          codes: new Set([0]),
          refused: {},
          lost: 0,
          doubled: 0,
          differing: 0,
        });
        expect(whole).toBe(noted.length);
        expect(noted.filter(({ readOn }) => readOn > 0)).toEqual([]);
      } finally {
        await fleet.clear();
      }
    },
    400_000,
  );
});
