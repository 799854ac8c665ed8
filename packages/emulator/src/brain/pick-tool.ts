import { isJsonObject } from "mull/wire";
import type { JsonValue, ToolSpec } from "mull";

import { expressionIn } from "./arithmetic.ts";
import { fillSchema, isText } from "./fill-schema.ts";
import { numbersIn } from "./numbers.ts";

/** `getWeather`, `get_weather` and `get-weather` are the same words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

const hasTextField = (tool: ToolSpec): boolean => {
  const properties = tool.inputSchema["properties"];
  return (
    isJsonObject(properties) &&
    Object.values(properties).some((each) => isJsonObject(each) && isText(each))
  );
};

/** The tool whose name fits best, else the one whose description does. It must take a text. */
export const pickTool = (tools: readonly ToolSpec[], about: RegExp): ToolSpec | undefined => {
  const able = tools.filter(hasTextField);
  return (
    able.find((tool) => wordsOf(tool.name).some((word) => about.test(word))) ??
    able.find((tool) => about.test(tool.description ?? ""))
  );
};

/** Puts a text into the field whose name fits, and fills the other required fields. */
export const inputFor = (tool: ToolSpec, about: RegExp, text: string): JsonValue => {
  const filled = fillSchema(tool.inputSchema, { texts: [], numbers: numbersIn(text) });
  const properties = tool.inputSchema["properties"];
  if (!isJsonObject(filled) || !isJsonObject(properties)) return filled;
  const names = Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) && isText(property) ? [name] : [],
  );
  const field = names.find((name) => about.test(name)) ?? names[0];
  return field === undefined ? filled : { ...filled, [field]: text };
};

/** The tool the user names, by its name or by all of its words. */
export const namedTool = (tools: readonly ToolSpec[], text: string): ToolSpec | undefined => {
  const said = new Set(wordsOf(text));
  return tools.find(
    (tool) => text.includes(tool.name) || wordsOf(tool.name).every((word) => said.has(word)),
  );
};

/** `README.md`, `/etc/hosts.allow`, but not `3.14`. */
const fileName = /(?<![\w./])[\w./-]*[a-z_][\w-]*\.[a-z][a-z\d]{0,5}(?!\w)/gi;

/** Input for an unknown tool: file names, quoted words, sums, places and numbers of the text, in order. */
export const guessInput = (tool: ToolSpec, text: string, places: readonly string[]): JsonValue => {
  const quoted = [...text.matchAll(/"([^"]+)"|'([^']+)'|`([^`]+)`/g)].map(
    (match) => match[1] ?? match[2] ?? (match[3] as string),
  );
  const sum = expressionIn(text);
  return fillSchema(tool.inputSchema, {
    texts: [...quoted, ...(sum === undefined ? [] : [sum]), ...places, text],
    numbers: numbersIn(text),
    files: text.match(fileName) ?? [],
  });
};
