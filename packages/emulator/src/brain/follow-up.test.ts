import { describe, expect, it } from "vitest";

import { think } from "./brain.ts";

/** Asks one question after the other, each with all that was said before it. */
const talk = (...questions: readonly string[]): string => {
  const earlier: { asked: string; answered: string }[] = [];
  for (const text of questions) {
    const { answer = "" } = think({ text, earlier, rounds: [], tools: [], parallel: true });
    earlier.push({ asked: text, answered: answer });
  }
  return earlier.at(-1)?.answered ?? "";
};

describe("the brain, asked a follow-up,", () => {
  it.each([
    ["And 20% of it?", "20% of 12 is **2.4**"],
    ["What is 10% more than that?", "**13.2**"],
    ["Add 10% to it", "**13.2**"],
    ["Reduce that number by 50%", "**6**"],
    ["100 minus it", "**88**"],
    ["Subtract it from 100", "**88**"],
    ["Divide 60 by that", "**5**"],
    ["Add 10 to the result", "**22**"],
    ["And divided by 4?", "**3**"],
    ["Plus 30", "**42**"],
    ["Now subtract 2", "**10**"],
    ["And then add 10%", "**13.2**"],
    ["Multiply by 3", "**36**"],
    ["Ok, halve it", "**6**"],
    ["Double", "**24**"],
    ["What about times 5?", "**60**"],
    ["Is that number prime?", "12 is not prime"],
    ["What is it squared?", "**144**"],
    ["What is the square root of it?", "√12 = **3.4641016151**"],
  ])("works on the last result: %s", (text, said) => {
    expect(talk("What is 15% of 80?", text)).toContain(said);
  });

  it.each([
    ["And 20%?", "20% of 80 is **16**"],
    ["What about 200?", "15% of 200 is **30**"],
    ["And 20% of 50?", "20% of 50 is **10**"],
  ])("changes the question where it names no result: %s", (text, said) => {
    expect(talk("What is 15% of 80?", text)).toContain(said);
  });

  it("follows a follow-up", () => {
    expect(talk("What is 15% of 80?", "And 20%?", "And 25%?")).toContain("25% of 80 is **20**");
    expect(talk("What is 15% of 80?", "And 20% of it?", "And 50% of it?")).toContain("**1.2**");
    expect(talk("What is 15% of 80?", "times 2", "And minus 4?")).toContain("**20**");
  });

  it.each([
    ["Is that right?", "You said"],
    ["Is this 5 * 3?", "**15**"],
  ])("takes no word for a number where that makes no sum: %s", (text, said) => {
    expect(talk("What is 15% of 80?", text)).toContain(said);
  });

  it("repeats the words that were said, not what they were taken for", () => {
    expect(talk("What is the weather in Oslo?", "And in Bergen?")).toContain(
      'You said: "And in Bergen?"',
    );
  });
});
