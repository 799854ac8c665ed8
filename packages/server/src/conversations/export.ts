import { History, type HistoryJson, type JsonValue } from "mull";
import { toReadable, type ReadablePart } from "mull/wire";
import type { Conversation, StoredMessage, Turn } from "@mull/store";
import { ownSystem } from "./own-system.ts";
import { findLostHead, findProblems, readableMessages, type StoredProblem } from "./problems.ts";

/** A conversation as it is exported. */
export type StoredFacts = Pick<Conversation, "title" | "createdAt" | "head" | "info">;

/** What `export` writes and `import` reads. */
export interface Exported extends Pick<Conversation, "title" | "createdAt"> {
  readonly model: JsonValue | undefined;
  readonly level: JsonValue | undefined;
  readonly system?: string;
  readonly history: HistoryJson;
  readonly problems?: readonly StoredProblem[];
}

/**
 * A conversation as a history that any mull program can read, with all branches, and the time of
 * each message.
 */
export function exportHistory(conversation: StoredFacts, all: readonly StoredMessage[]): Exported {
  const position = new Map(all.map((each, index) => [each.id, index]));
  const at = (id: string | null): number => (id === null ? -1 : (position.get(id) ?? -1));
  const entries = all.map((each, index) => {
    const parent = at(each.parentId);
    // A parent placed after its child (by hand) starts a branch of its own.
    const { message, createdAt } = each;
    return { parent: parent < index ? parent : -1, message, createdAt };
  });
  const isLost = conversation.head !== null && !position.has(conversation.head);
  const history = History.parse({
    version: 1,
    head: isLost ? all.length - 1 : at(conversation.head),
    entries,
  });
  const { title, createdAt, info } = conversation;
  const { model, level } = info;
  const system = ownSystem(info);
  const problems = [...findLostHead(conversation, all), ...findProblems(all)];
  return {
    title,
    createdAt,
    model,
    level,
    ...(system !== undefined && { system }),
    history: history.toJSON(),
    ...(problems.length > 0 && { problems }),
  };
}

/** Everything that is stored, readable or not. */
export const exportRaw = (
  conversation: Conversation,
  messages: readonly StoredMessage[],
  turns: readonly Turn[],
): object => ({ conversation, messages, turns });

/**
 * What people read, in Markdown: who answered at which level, and which tools ran. No thinking, no
 * seals.
 */
export function exportMarkdown(
  { title, info }: Pick<Conversation, "title" | "info">,
  branch: readonly StoredMessage[],
  turns: readonly Turn[],
): string {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const system = ownSystem(info);
  const sections = branch.flatMap((stored) => {
    const [message] = readableMessages([stored]);
    const readable = message && toReadable(message);
    if (readable === undefined) return [];
    const body = readable.parts.map(writePart).filter((part) => part !== "");
    const by = readable.role === "model" ? answeredBy(stored, byId) : "";
    return body.length === 0 ? [] : [`## ${headings[readable.role]}${by}\n\n${body.join("\n\n")}`];
  });
  const whole = [
    `# ${title.replaceAll(/\s+/g, " ").trim() || "Conversation"}`,
    ...toolsUsed(branch),
    ...(system === undefined ? [] : [`## System prompt\n\n${system}`]),
    ...sections,
  ];
  return `${whole.join("\n\n")}\n`;
}

/** ` · gpt-6-sol · high`, taken from the message itself, or from its turn. */
function answeredBy({ message, turnId }: StoredMessage, turns: ReadonlyMap<string, Turn>): string {
  const info = turnId === undefined ? undefined : turns.get(turnId)?.info;
  const ref = typeof info?.["model"] === "string" ? info["model"] : undefined;
  const origin = message.role === "assistant" ? message.origin?.model : undefined;
  const level = typeof info?.["level"] === "string" ? [info["level"]] : [];
  const model = origin ?? ref?.slice(ref.indexOf(":") + 1);
  return [...(model === undefined ? [] : [model]), ...level].map((each) => ` · ${each}`).join("");
}

function toolsUsed(branch: readonly StoredMessage[]): readonly string[] {
  const names = branch.flatMap(({ message }) =>
    message.role === "assistant"
      ? message.parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : []))
      : [],
  );
  return names.length === 0 ? [] : [`Tools: ${[...new Set(names)].join(", ")}`];
}

const headings = { user: "You", model: "Answer", tool: "Tool results" } as const;

const fence = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
};

function writePart(part: ReadablePart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool-call":
      return `Called \`${part.name}\`:\n\n${fence(JSON.stringify(part.input))}`;
    case "tool-result":
      return `\`${part.name}\`${part.isError ? " failed" : ""}:\n\n${fence(
        typeof part.output === "string" ? part.output : JSON.stringify(part.output),
      )}`;
    case "file":
      return `[file${part.name === undefined ? "" : ` ${part.name}`}, ${part.mediaType}]`;
    default:
      return part satisfies never;
  }
}

/**
 * The header of a download: a file name that works on every system, and the title as it is written.
 */
export const dispositionFor = (title: string, ending: string): string => {
  const plain = nameOf(title.normalize("NFKD"), /[^A-Za-z0-9]+/g) || "conversation";
  const whole = nameOf(title.normalize("NFC"), /[^\p{L}\p{M}\p{N}]+/gu);
  const own = isAscii(whole) ? "" : `; filename*=UTF-8''${encodeURIComponent(whole)}.${ending}`;
  return `attachment; filename="${plain}.${ending}"${own}`;
};

const nameOf = (title: string, others: RegExp): string =>
  Array.from(title.replaceAll(others, "-").replaceAll(/^-+|-+$/g, ""))
    .slice(0, 60)
    .join("");

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
