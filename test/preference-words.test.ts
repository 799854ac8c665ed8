import { expect, it } from "vitest";
import { preferenceWords } from "../packages/server/src/routes/preferences.ts";
import {
  speechPreferences,
  themes,
  thinkingPreferences,
} from "../packages/web/src/state/preferences.ts";

it("F-W12: page and server know the same words for preferences", () => {
  expect({ theme: themes, thinking: thinkingPreferences, speech: speechPreferences }).toEqual(
    preferenceWords,
  );
});
