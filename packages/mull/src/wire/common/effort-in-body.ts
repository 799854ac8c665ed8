import { isJsonObject, type JsonObject } from "../../types/json.ts";
import { asObject, asObjects } from "./json-reading.ts";

const updatesIn = ({ messages, input }: JsonObject): readonly JsonObject[] =>
  asObjects(messages ?? input).filter(
    ({ type, role, output_config: config }) =>
      type === "configuration_update" || (role === "system" && isJsonObject(config)),
  );

/** The last change of effort in a conversation. Claude's is a field of a system message, OpenAI's is an item. */
export const updateIn = (body: JsonObject): JsonObject | undefined => updatesIn(body).at(-1);

const wordIn = ({
  output_config: config,
  reasoning,
  reasoning_effort: word,
}: JsonObject): unknown => {
  const { effort = asObject(reasoning)["effort"] } = asObject(config);
  return effort ?? word;
};

const isWord = (value: unknown): value is string => typeof value === "string";

/** The effort that the conversation in a body set last. It wins over the effort at the top of the request. */
export const effortInForce = (body: JsonObject): string | undefined =>
  updatesIn(body).map(wordIn).findLast(isWord);

/** The effort a body asks for, inside the conversation or at its top, in the words of any wire. */
export const effortIn = (body: JsonObject): string | undefined =>
  [effortInForce(body), wordIn(body)].find(isWord);
