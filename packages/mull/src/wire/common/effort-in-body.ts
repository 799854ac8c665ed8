import { isJsonObject, type JsonObject, type JsonValue } from "../../types/json.ts";

/** The last change of effort in a conversation: Claude's stands on a message of the system, OpenAI's is an item. */
export function updateIn({ messages, input }: JsonObject): JsonObject | undefined {
  const entries = [messages, input].find(Array.isArray) as readonly JsonValue[] | undefined;
  return entries?.findLast(
    (entry): entry is JsonObject =>
      isJsonObject(entry) &&
      (entry["type"] === "configuration_update" ||
        (entry["role"] === "system" && isJsonObject(entry["output_config"]))),
  );
}

const wordIn = ({
  output_config: config,
  reasoning,
  reasoning_effort: word,
}: JsonObject): unknown => {
  const holder = [config, reasoning].find((each) => isJsonObject(each) && "effort" in each);
  return isJsonObject(holder) ? holder["effort"] : word;
};

const asWord = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The effort that the conversation of a body set last: it holds until the next, over that of the request. */
export const effortInForce = (body: JsonObject): string | undefined =>
  asWord(wordIn(updateIn(body) ?? {}));

/** The effort a body asks for, inside the conversation or at its top, in the words of any wire. */
export const effortIn = (body: JsonObject): string | undefined =>
  effortInForce(body) ?? asWord(wordIn(body));
