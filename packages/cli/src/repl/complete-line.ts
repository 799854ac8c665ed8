import type { Candidate, Chat } from "./commands/command.ts";
import { completeSlash } from "./commands/table.ts";
import { completeMention } from "./mentions.ts";

/** What a line could become: a command, its words, or a file named with `@`. */
export async function completeLine(line: string, chat: Chat): Promise<readonly Candidate[]> {
  if (line.startsWith("/") && !line.includes("\n")) return completeSlash(line, chat);
  const mention = /(?:^|\s)(@(?:"[^"\n]*|[^\s"]*))$/.exec(line)?.[1];
  return mention === undefined ? [] : completeMention(line, mention, chat.io);
}
