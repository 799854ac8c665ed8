import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaveOut } from "../../../../../test/left-out.ts";
import { bundlePrograms, type Programs } from "../../../../../test/programs.ts";
import { serverSources } from "../child-server.ts";
import { startFleet } from "./fleet.ts";
import { isClean } from "./report.ts";
import { soak } from "./soak.ts";

let programs: Programs;
beforeAll(async () => {
  programs = await bundlePrograms("server", serverSources);
}, 120_000);
afterAll(() => programs.remove());

const seconds = 60;

describe("F-D6 F-D7 F-G12: three servers behind nginx, for a minute", () => {
  it("kills, a crash of Postgres and a Redis that goes away: nothing acknowledged is lost or there twice", async () => {
    const fleet = await startFleet({ servers: 3, program: programs.pathOf("main") });
    if (fleet === undefined) {
      leaveOut("fleet");
      return;
    }
    try {
      if (fleet.redis === undefined) leaveOut("redis");
      const lines: string[] = [];
      const say = (line: string): void => void lines.push(line);
      const { signal } = new AbortController();
      const report = await soak(fleet, { seconds, askers: 8, seed: 1, say, signal });
      const said = fleet.redis === undefined ? 0 : 3;
      expect({ ...report, lines, isClean: isClean(report) }).toMatchObject({
        isClean: true,
        lost: 0,
        doubled: 0,
        differing: 0,
        kills: 3,
        saidAway: said,
        saidBack: said,
      });
      expect(report.whole).toBeGreaterThan(0);
      expect(report.readOn).toBeGreaterThan(0);
    } finally {
      await fleet.clear();
    }
  }, 600_000);
});
