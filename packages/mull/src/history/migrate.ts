import { MullError } from "../types/error.ts";
import { isJsonObject, type JsonObject, type MutableJsonObject } from "../types/json.ts";

/** Steps from one version to the next, append only. `steps[0]` reads version 0, a bare message list. */
const steps: readonly ((value: MutableJsonObject) => MutableJsonObject)[] = [
  ({ messages }) => ({
    version: 1,
    head: Array.isArray(messages) ? messages.length - 1 : -1,
    entries: Array.isArray(messages)
      ? messages.map((message, index) => ({ parent: index - 1, message }))
      : [],
  }),
];

/** Brings a stored history to the current version. Refuses a newer one. */
export function migrate(value: unknown, current: number): JsonObject {
  const start = Array.isArray(value) ? { version: 0, messages: value } : value;
  if (!isJsonObject(start))
    throw refuse("history: neither a history object nor a list of messages");
  const version = start["version"];
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0) {
    throw refuse(`history: version ${JSON.stringify(version)} is not a version number`);
  }
  if (version > current) {
    throw refuse(
      `history: version ${version} is newer than this mull reads (up to ${current}). Update mull.`,
    );
  }
  return steps.slice(version).reduce<JsonObject>((older, step) => step({ ...older }), start);
}

const refuse = (message: string): MullError =>
  new MullError(message, {
    category: "invalid_argument",
    code: "invalid_history",
    field: "version",
  });
