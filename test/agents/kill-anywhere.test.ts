import { Agent, textOf } from "mull";
import { describe, expect, test } from "vitest";
import { playOn, threeSteps, type Files, type Playing } from "./three-steps.ts";

const vendors = ["claude-opus-5-5/low", "gpt-6-sol/low", "gemini-3.8-flash/low"];

/** What outlives a process, without a disk. */
function keptFiles(): Files {
  const runs: string[] = [];
  let saved: string | undefined;
  return {
    log: (name) => void runs.push(name),
    runs: () => runs,
    save: (agent) => {
      saved = JSON.stringify(agent);
    },
    saved: () => saved,
  };
}

/** A process that ends at a place: from there on nothing happens any more, not even what cleans up. */
async function playUntil(
  model: string,
  files: Files,
  end: (place: string) => boolean,
): Promise<"killed" | "whole"> {
  let kill: (() => void) | undefined;
  const killed = new Promise<"killed">((resolve) => {
    kill = () => resolve("killed");
  });
  const at = (place: string): unknown => {
    if (!end(place)) return undefined;
    kill?.();
    return new Promise(() => undefined);
  };
  const playing: Playing = {
    onEvent: (count) => at(`event ${count}`),
    onRun: (name, place) => at(`${place} ${name}`),
  };
  const whole = playOn(model, files, threeSteps(), playing).then(() => "whole" as const);
  return Promise.race([killed, whole]);
}

async function placesOf(model: string): Promise<readonly string[]> {
  const places: string[] = [];
  await playUntil(model, keptFiles(), (place) => {
    places.push(place);
    return false;
  });
  return places;
}

describe.each(vendors)("R438 a process of %s that ends", (model) => {
  test("at any event or inside any tool leaves a turn that another completes", async () => {
    const places = await placesOf(model);
    expect(places.filter((place) => place.startsWith("event")).length).toBeGreaterThan(10);
    expect(places).toContain("after charge");
    for (const place of places) {
      const files = keptFiles();
      expect(await playUntil(model, files, (at) => at === place)).toBe("killed");
      // The next one ends as well, at its first event, and the one after that completes the turn.
      await playUntil(model, files, (at) => at === "event 1");
      expect(await playUntil(model, files, () => false)).toBe("whole");
      const runs = files.runs();
      const charges = runs.filter((name) => name === "charge").length;
      expect({ place, charges, runs: new Set(runs) }).toEqual({
        place,
        charges: 1,
        runs: new Set(["read", "charge", "note"]),
      });
      const { messages } = Agent.restore(files.saved() ?? "").history;
      expect({ place, text: textOf(messages.at(-1)) }).toEqual({ place, text: "All is done." });
    }
  });
});
