import type { Finding, Message, Note } from "mull";
import type { Conversation, StoredMessage } from "@mull/store";

/** Something that is stored and can't be read, in the form of a `lint` finding. */
export interface StoredProblem extends Finding {
  /** The stored message it is in. */
  readonly messageId?: string;
}

const leftOut =
  "Continue: it is left out of what is sent, and stays stored as it is. Or export the raw data, repair it and import it.";

/** What can't be read in a branch, or in the part of it that begins at `start`, in order. */
export const findProblems = (
  branch: readonly StoredMessage[],
  start = 0,
): readonly StoredProblem[] =>
  branch.flatMap(({ id, unreadable = [] }, index) =>
    unreadable.map((each) => ({
      rule: "stored/unreadable",
      severity: "error",
      path: `messages[${start + index}].${each.path}`,
      message: each.message,
      fix: leftOut,
      messageId: id,
    })),
  );

/** The head names a message that somebody deleted, so show the latest one. */
export const findLostHead = (
  { head }: Pick<Conversation, "head">,
  all: readonly Pick<StoredMessage, "id">[],
): readonly StoredProblem[] =>
  head === null || all.some(({ id }) => id === head)
    ? []
    : [
        {
          rule: "stored/head",
          severity: "error",
          path: "head",
          message: `The message that the conversation continues from, ${head}, is missing.`,
          fix: "Continue: the next question follows the latest message.",
        },
      ];

/** What you can do about problems, as requests. */
export const offersFor = (conversationId: string): readonly Offer[] => {
  const place = `/api/conversations/${conversationId}`;
  return [
    {
      does: "continue",
      request: `POST /api/chat/${conversationId}/continue`,
      words: "Continue without what cannot be read.",
    },
    {
      does: "fork",
      request: `POST ${place}/fork`,
      body: { readable: true },
      words: "Continue in a copy that holds only what can be read.",
    },
    {
      does: "export",
      request: `GET ${place}/export?format=raw`,
      words: "Download everything as it is stored.",
    },
  ];
};

interface Offer {
  readonly does: "continue" | "fork" | "export";
  readonly request: string;
  readonly body?: { readonly readable: true };
  readonly words: string;
}

/** Messages to continue from. Leaves out messages of which nothing can be read. */
export const readableMessages = (branch: readonly StoredMessage[]): readonly Message[] =>
  branch.flatMap(({ message, unreadable }) =>
    unreadable !== undefined && message.parts.length === 0 ? [] : [message],
  );

const mostNotes = 10;

/** For the receipt: what wasn't sent because it can't be read. */
export const noteProblems = (problems: readonly StoredProblem[]): readonly Note[] => [
  ...problems
    .slice(0, mostNotes)
    .map((problem) => note(`Left out: ${problem.path}. ${problem.message}`)),
  ...(problems.length > mostNotes
    ? [note(`Left out as well: ${problems.length - mostNotes} more that cannot be read.`)]
    : []),
];

const note = (message: string): Note => ({
  code: "history-unreadable",
  severity: "warning",
  message,
});
