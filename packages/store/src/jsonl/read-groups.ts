import type { LogRecord } from "./record.ts";

/** One that stands for itself. */
export type PlainRecord = Exclude<LogRecord, { readonly type: "begin" | "commit" }>;

/** Records that count together, as far as they are there. */
export interface OpenGroup {
  readonly line: number;
  readonly offset: number;
  readonly records: PlainRecord[];
  /** How many lines were damaged before it. */
  readonly damaged: number;
  /** How many lines it still needs. */
  missing: number;
  hasHoles: boolean;
}

interface ReadLine {
  readonly line: number;
  readonly offset: number;
  readonly text?: string;
  /** Absent: it holds none. */
  readonly record?: LogRecord;
  /** How many lines were damaged before it. */
  readonly damaged: number;
}

export interface Groups {
  readonly take: (line: ReadLine) => void;
  /** The one that is not whole so far. */
  readonly open: () => OpenGroup | undefined;
}

/**
 * Hands records on, those of a group when it is whole: with its `commit`, or with all its lines,
 * because a commit that was damaged later, or a line taken out by hand, must not cost the others.
 * A power cut may leave zeros in a group whose end is there. One at the end of the file was then
 * never acknowledged; anything behind it shows that it was.
 */
export function createGroups(handOn: (record: PlainRecord) => void): Groups {
  let open: OpenGroup | undefined;
  let isEnded = false;

  const endGroup = (): void => {
    for (const each of open?.records ?? []) handOn(each);
    open = undefined;
    isEnded = false;
  };

  const take = ({ line, offset, text, record, damaged }: ReadLine): void => {
    if (isEnded && record !== undefined && record.type !== "commit") endGroup();
    if (record?.type === "begin") {
      const missing = record.records;
      open = { line, offset, records: [], damaged, missing, hasHoles: false };
      return;
    }
    if (open === undefined) {
      if (record !== undefined && record.type !== "commit") handOn(record);
      return;
    }
    open.missing -= 1;
    if (record === undefined) open.hasHoles ||= text === undefined || text.includes("\0");
    else if (record.type !== "commit") open.records.push(record);
    isEnded ||= open.missing === 0 || record?.type === "commit";
    if (isEnded && !open.hasHoles) endGroup();
  };

  return { take, open: () => open };
}
