import type { UIMessage } from "@mull/ui-messages";

type SalvagedFields = ReadonlyMap<string, unknown>;

const fieldsOf = (value: unknown): SalvagedFields =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

/** Texts in what a message says, whichever way its maker spells that. */
function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown): readonly string[] => {
    const text = typeof part === "string" ? part : fieldsOf(part).get("text");
    return typeof text === "string" && text !== "" ? [text] : [];
  });
}

/** The questions and answers of a file that no server takes, for people to read. */
export function salvageMessages(file: string): readonly UIMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(file);
  } catch {
    return [];
  }
  const whole = fieldsOf(value);
  const inner = fieldsOf(whole.get("history"));
  const lists = [value, whole.get("messages"), inner.get("messages"), whole.get("contents")];
  const list: readonly unknown[] = lists.find((each) => Array.isArray(each)) ?? [];
  return list.flatMap((each, index): readonly UIMessage[] => {
    const message = fieldsOf(fieldsOf(each).get("message") ?? each);
    const said = message.get("parts") ?? message.get("content") ?? message.get("text");
    const parts = textsIn(said).map((text) => ({ type: "text" as const, text }));
    if (parts.length === 0) return [];
    const role = message.get("role") === "user" ? "user" : "assistant";
    return [{ id: `salvaged-${index}`, role, parts }];
  });
}
