import { describe, expect, it } from "vitest";

import { emulate } from "../emulate.ts";
import {
  calls,
  cuts,
  fails,
  omits,
  redacts,
  refuses,
  says,
  stalls,
  thinks,
  type Action,
} from "./actions.ts";
import { draftOfActions } from "./draft-of-actions.ts";
import { parseScripts } from "./parse-scripts.ts";
import { createPlayer, matches, script, type Asked, type When } from "./script.ts";
import { wrong } from "../../../../test/stubs.ts";

const asked: Asked = {
  model: "claude-opus-5-5",
  wire: "anthropic-messages",
  text: "What is the weather in Oslo?",
  turn: 1,
};

describe("P-J5 scripts", () => {
  it("are the same as values and as JSON", () => {
    const value = script(
      { model: "claude-*", text: "weather", turn: 1 },
      [
        thinks("Look it up."),
        redacts(),
        omits("hidden"),
        calls("get_weather", { city: "Oslo" }, { id: "toolu_1" }),
      ],
      [says("Sunny."), stalls(5, "after"), cuts(), fails({ status: 529 })],
      [refuses()],
      [fails(429)],
    );
    expect(parseScripts(JSON.stringify([value]))).toEqual([value]);
    expect(parseScripts({ scripts: [value as never] })).toEqual([value]);
  });

  it("match by model, wire, text and turn, all given ones at once", () => {
    expect(matches(undefined, asked)).toBe(true);
    expect(matches({ model: "claude-opus-5-5" }, asked)).toBe(true);
    expect(matches({ model: "claude-opus*" }, asked)).toBe(true);
    expect(matches({ model: "claude-opus-5" }, asked)).toBe(false);
    expect(matches({ wire: "google-generate" }, asked)).toBe(false);
    expect(matches({ text: "WEATHER" }, asked)).toBe(true);
    expect(matches({ text: "/^what.*oslo\\?$/i" }, asked)).toBe(true);
    expect(matches({ text: "/^weather/" }, asked)).toBe(false);
    expect(matches({ text: "weather", turn: 2 }, asked)).toBe(false);
  });

  it("keep state over turns and hand over when spent", () => {
    const player = createPlayer([script({ text: "weather" }, [says("one")], [says("two")])]);
    player.load([script({}, [says("other")])]);
    expect(player.next(asked)).toEqual([says("one")]);
    expect(player.next(asked)).toEqual([says("two")]);
    expect(player.next(asked)).toEqual([says("other")]);
    expect(player.next(asked)).toBeUndefined();
    player.reset();
    expect(player.next(asked)).toEqual([says("one")]);
  });

  it("start over when they repeat", () => {
    const player = createPlayer([{ turns: [[says("a")], [says("b")]], repeat: true }]);
    const heard = [1, 2, 3].map(() => player.next(asked));
    expect(heard).toEqual([[says("a")], [says("b")], [says("a")]]);
  });

  it("become drafts with disturbances in their places", () => {
    expect(draftOfActions([thinks("x"), cuts(), says("y"), stalls(3, "after")])).toEqual({
      parts: [
        { type: "thinking", text: "x" },
        { type: "text", text: "y" },
      ],
      disturbances: [
        { type: "cut", part: 0, where: "inside" },
        { type: "stall", ms: 3, part: 1, where: "after" },
      ],
    });
    expect(draftOfActions([fails(503)]).failure).toEqual({ status: 503 });
    expect(draftOfActions([says("a"), fails(503)]).disturbances[0]?.type).toBe("failure");
    expect(draftOfActions([refuses("No.")]).finish).toBe("refusal");
  });

  it.each([
    ["{", "script: is not JSON"],
    ["[{}]", "scripts[0].turns: is missing"],
    ['{"turns":1}', "script.turns: must be a list of turns"],
    ['{"turns":[1]}', "script.turns[0]: must be a list of actions"],
    ['{"turns":[[1]]}', "script.turns[0][0]: must be an object"],
    ['{"turns":[[{"sings":"la"}]]}', "script.turns[0][0]: names no action. Actions: thinks"],
    ['{"turns":[[{"says":1}]]}', "script.turns[0][0].says: must be a string, found 1"],
    ['{"turns":[[{"says":"a","loud":1}]]}', "script.turns[0][0].loud: is unknown. Known: says"],
    ['{"turns":[[{"stalls":-1}]]}', "script.turns[0][0].stalls: must be a whole number from 0"],
    ['{"turns":[[{"cuts":"now"}]]}', "script.turns[0][0].cuts: must be one of inside, after"],
    ['{"turns":[[{"fails":{}}]]}', "script.turns[0][0].fails.status: is missing"],
    ['{"turns":[[{"redacts":1}]]}', "script.turns[0][0].redacts: must be true"],
    ['{"turns":[],"when":{"wire":"smtp"}}', "script.when.wire: must be one of anthropic-messages"],
    ['{"turns":[],"repeat":"yes"}', "script.repeat: must be true or false"],
    ['{"turns":[],"when":3}', "script.when: must be an object"],
  ])("are refused with the place and the cause: %s", (source, message) => {
    expect(() => parseScripts(source)).toThrow(message);
  });

  it("made in code are checked where they are given", () => {
    const turn: readonly Action[] = wrong(says("x"));
    expect(() => emulate({ scripts: [script({}, turn)] })).toThrow(
      "scripts[0].turns[0]: must be a list of actions",
    );
    expect(() => emulate().load(script({ txt: "x" } as When, [says("x")]))).toThrow(
      "scripts[0].when.txt: is unknown. Known: ",
    );
  });
});
