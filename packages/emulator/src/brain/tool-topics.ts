import type { JsonValue, ToolSpec } from "mull";

import { guessInput, inputFor, namedTool, pickTool } from "./pick-tool.ts";
import { placesIn } from "./places.ts";
import type { Question } from "./question.ts";

/** A call that the brain wants to make, and its subject. */
export interface ToolWish {
  readonly name: string;
  readonly input: JsonValue;
  readonly subject: string;
}

const aboutWeather = /weather|forecast|temperature|climate/i;
const weatherWords =
  /\b(?:weather|forecast|temperature|rain|raining|snow|sunny|warmer|colder|umbrella|degrees)\b/i;
const aboutPlace = /location|city|place|town|where|query|address/i;
const aboutSearch = /search|web|browse|lookup|google/i;
const searchWords =
  /\b(?:markets?|stocks?|shares?|prices?|crypto(?:currenc(?:y|ies))?|bitcoin|ethereum|news|latest|current(?:ly)?|today|recent|search|look up|find out|web|online|who won|exchange rate|trends?|revenue|headlines?)\b/i;
const aboutQuery = /query|search|question|text|term|^q$/i;

const weatherWishes = (text: string, tools: readonly ToolSpec[]): readonly ToolWish[] => {
  const tool = weatherWords.test(text) ? pickTool(tools, aboutWeather) : undefined;
  if (tool === undefined) return [];
  return placesIn(text).map((place) => ({
    name: tool.name,
    input: inputFor(tool, aboutPlace, place),
    subject: place,
  }));
};

const plain = (text: string): string =>
  text
    .replace(/^(?:okay|ok|so|well|hey|hi)\b[\s,;:–-]+/i, "")
    .replace(/^(?:(?:and|now|please|can you|could you|would you|what about|how about)\s+)+/i, "")
    .replace(
      /^(?:search (?:the )?(?:web|internet|online)(?: for)?|look up|find out|search for|tell me about)\s+/i,
      "",
    )
    .replace(/[?.!\s]+$/, "");

/** `Compare A and B` asks for two searches. */
const subjectsOf = (text: string): readonly string[] => {
  const compared =
    /\bcompare\s+(?:the\s+)?(.+?)\s+(?:and|with|to|versus|vs\.?)\s+(.+)$/i.exec(plain(text)) ??
    /^(.+?)\s+(?:versus|vs\.?)\s+(.+)$/i.exec(plain(text));
  return compared === null ? [plain(text)] : [compared[1] as string, compared[2] as string];
};

const searchWishes = (text: string, tools: readonly ToolSpec[]): readonly ToolWish[] => {
  const tool =
    searchWords.test(text) || weatherWords.test(text) ? pickTool(tools, aboutSearch) : undefined;
  if (tool === undefined) return [];
  return subjectsOf(text).map((subject) => ({
    name: tool.name,
    input: inputFor(tool, aboutQuery, subject),
    subject,
  }));
};

const namedWishes = (text: string, tools: readonly ToolSpec[]): readonly ToolWish[] => {
  const tool = namedTool(tools, text);
  if (tool === undefined) return [];
  return [{ name: tool.name, input: guessInput(tool, text, placesIn(text)), subject: tool.name }];
};

const wishesFor = (text: string, tools: readonly ToolSpec[]): readonly ToolWish[] => {
  for (const kind of [weatherWishes, searchWishes, namedWishes]) {
    const wishes = kind(text, tools);
    if (wishes.length > 0) return wishes;
  }
  return [];
};

/** In a long text, such as a file followed by a question, only the last line is the question. */
const askedIn = (text: string): string =>
  text.length <= 1000 ? text : text.slice(text.trimEnd().lastIndexOf("\n") + 1).slice(-300);

const chooseForced = (question: Question): readonly ToolWish[] => {
  const tools =
    question.mustCall === "any"
      ? question.tools
      : question.tools.filter((tool) => tool.name === question.mustCall);
  const text = askedIn(question.text);
  const wishes = wishesFor(text, tools);
  const [tool] = tools;
  if (wishes.length > 0 || tool === undefined) return wishes;
  return [
    {
      name: tool.name,
      input: guessInput(tool, text, placesIn(text)),
      subject: tool.name,
    },
  ];
};

/** The rounds of calls a question needs: parallel ones in one round, `then` begins another. */
const roundsWanted = (question: Question): readonly (readonly ToolWish[])[] => {
  if (question.mustCall !== undefined) return [chooseForced(question)];
  return askedIn(question.text)
    .split(/[,;.]?\s+(?:and\s+)?(?:then|after that|afterwards)\s*,?\s+/i)
    .map((piece) => wishesFor(piece, question.tools))
    .filter((wishes) => wishes.length > 0);
};

/** As many calls in a round as the request allows. A forced call is made again even if it was made before. */
export const planRounds = (question: Question): readonly (readonly ToolWish[])[] => {
  if (question.tools.length === 0) return [];
  const wanted = roundsWanted(question);
  const rounds = question.parallel ? wanted : wanted.flat().map((wish) => [wish]);
  const last = rounds.at(-1);
  const missing = question.mustCall === undefined ? 0 : question.rounds.length + 1 - rounds.length;
  return last === undefined || missing <= 0
    ? rounds
    : [...rounds, ...Array.from({ length: missing }, () => last)];
};
