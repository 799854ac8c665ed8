const word = String.raw`[A-ZÀ-ÖØ-Þ][\p{L}'’.-]*`;
const place = `${word}(?: ${word}){0,3}`;
const list = `${place}(?:(?:,| and| or| versus| vs\\.?|, and| with)+ ${place})*`;

const notPlaces = new Set([
  "What",
  "How",
  "Compare",
  "Is",
  "The",
  "Tell",
  "Get",
  "Use",
  "And",
  "Give",
  "Please",
  "Which",
  "Will",
  "Check",
  "Weather",
  "Celsius",
  "Fahrenheit",
  "I",
]);

const splitList = (text: string): readonly string[] =>
  text
    .split(/,? (?:and|or|versus|vs\.?|with) |, /)
    .map((name) => name.replace(/[.,?!'’]+$/, "").trim())
    .filter((name) => name !== "" && !notPlaces.has(name));

/** The places that a text names: after `in`, `for`, `at`, `of`, `between`, else any capitalised words. */
export const placesIn = (text: string): readonly string[] => {
  const behind = new RegExp(`\\b(?:in|for|at|of|between|about|to|from)\\s+(${list})`, "gu");
  const found = [...text.matchAll(behind)].flatMap((match) => splitList(match[1] as string));
  if (found.length > 0) return [...new Set(found)];
  const loose = [...text.matchAll(new RegExp(`(?<![.?!] |^)${list}|^${list}`, "gu"))];
  return [...new Set(loose.flatMap((match) => splitList(match[0])))];
};
