import type { LogRecord } from "./record.ts";

/** A record outside a group. */
export type PlainRecord = Exclude<LogRecord, { readonly type: "begin" | "commit" }>;

/** The records of a group, as far as they are there. */
export interface OpenGroup {
  readonly line: number;
  readonly offset: number;
  readonly records: PlainRecord[];
  /** How many damaged lines came before it. */
  readonly damaged: number;
  /** How many lines are still missing. */
  missing: number;
  hasHoles: boolean;
}

interface ReadLine {
  readonly line: number;
  readonly offset: number;
  readonly text?: string;
  /** Absent: the line holds no record. */
  readonly record?: LogRecord;
  /** How many damaged lines came before it. */
  readonly damaged: number;
}

export interface Groups {
  readonly take: (line: ReadLine) => void;
  /** The group that isn't complete yet. */
  readonly open: () => OpenGroup | undefined;
}

/**
 * Passes records on; those of a group once it is complete: with its `commit`, or with all of its
 * lines, because a `commit` that was damaged later, or a line that somebody removed, must not cost
 * the others. A power cut may leave zeros inside a group whose end was written. Such a group at the
 * end of the file was never acknowledged; anything after it shows that it was.
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
