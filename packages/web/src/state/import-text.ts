import { wordsOf } from "../api.ts";
import { salvageMessages } from "../conversations/salvage.ts";
import { setNotice, setThread, type StateParts } from "./parts.ts";

const notJson =
  "That file is not JSON. Import takes a conversation exported here as JSON, a History of mull, or a list of UI messages.";

const notConversation =
  "This is the request body of a service, not a conversation. In a terminal, mull lint FILE says what a service refuses in it, and mull send FILE --fix repairs it and sends it.";

/** Makes a conversation of the text of a file; what cannot be taken is shown as far as it can be read. */
export async function importText(
  parts: StateParts,
  text: string,
  show: (conversationId: string | undefined) => Promise<void>,
): Promise<void> {
  const { api, box } = parts;
  try {
    const { conversation, notes, lint } = await api.importFile(readImport(text));
    await show(conversation.id);
    setThread(box, { findings: lint.findings.filter(({ severity }) => severity === "error") });
    if (notes.length > 0) setNotice(box, { text: notes.slice(0, 3).join(" "), isTrouble: false });
  } catch (error) {
    const messages = salvageMessages(text);
    const words =
      error instanceof SyntaxError
        ? notJson
        : isRequestBody(JSON.parse(text))
          ? notConversation
          : wordsOf(error);
    if (messages.length === 0) setNotice(box, { text: words, isTrouble: true });
    else {
      await show(undefined);
      setThread(box, { messages, trouble: words, isReadOnly: true });
    }
  }
}

/** `{"model": "…", "messages": […]}`, or `contents` or `input` in the place of messages. */
function isRequestBody(value: unknown): boolean {
  const fields = new Map(Object.entries(value ?? {}));
  if (Array.isArray(fields.get("contents"))) return true;
  return fields.has("model") && (fields.has("messages") || fields.has("input"));
}

/** A file that was exported here, also as it is stored, a bare history, or a list of UI messages. */
function readImport(text: string): object {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return { messages: value };
  const fields = new Map(Object.entries(value ?? {}));
  if (fields.has("history")) {
    const { title, createdAt, model, level, system, history } = Object.fromEntries(
      fields,
    ) as Record<string, unknown>;
    return { title, createdAt, model, level, system, history };
  }
  if (!fields.has("messages")) return { history: value };
  return { messages: fields.get("messages"), conversation: fields.get("conversation") };
}
