import { MullError } from "mull";

import type { Failure } from "../world/draft.ts";

/** A fault in one answer. Events are counted from 0. */
export type Fault =
  /** Wait before answering; wait between events. */
  | { readonly type: "latency"; readonly ms: number }
  | { readonly type: "pace"; readonly ms: number }
  /** An error status instead of the answer. */
  | { readonly type: "status"; readonly failure: Failure }
  /** The connection breaks after this many bytes, or inside a part of the answer. */
  | { readonly type: "cut"; readonly bytes: number }
  | { readonly type: "cut-block"; readonly block: number; readonly where: "inside" | "after" }
  /** The body ends early without any error, as with `connection: close`. */
  | { readonly type: "end"; readonly bytes: number }
  /** An error event after this many events. */
  | { readonly type: "error"; readonly events: number; readonly failure: Failure }
  /** The JSON of one event, or of the body, is broken. */
  | { readonly type: "malformed"; readonly event: number }
  /** The body ends inside a character. */
  | { readonly type: "utf8" }
  /** After this many events nothing more comes, and the connection stays open. */
  | { readonly type: "silence"; readonly events: number }
  /** Every event is sent twice. */
  | { readonly type: "duplicate" }
  /** An event of this many bytes is sent first. */
  | { readonly type: "giant"; readonly bytes: number }
  /** A proxy answers with a page; status 200 is a captive portal. */
  | { readonly type: "html"; readonly status: number }
  /** Status 200 with an empty body. */
  | { readonly type: "empty" };

type ReadFault = (value: string) => Fault | undefined;

const whole = (value: string, fallback?: number): number | undefined => {
  if (value === "" && fallback !== undefined) return fallback;
  return /^\d{1,12}$/.test(value) ? Number(value) : undefined;
};

const counted =
  (make: (count: number) => Fault, fallback?: number): ReadFault =>
  (value) => {
    const count = whole(value, fallback);
    return count === undefined ? undefined : make(count);
  };

const retryForms = ["seconds", "decimal", "ms", "date", "info", "text", "reset"] as const;

/** `429`, or with a wait `429:seconds:2000` (form and milliseconds). */
const readFailure = (value: string): Failure | undefined => {
  const [status, form, ms] = value.split(":") as [string, string?, string?];
  const code = whole(status);
  if (code === undefined || code < 400 || code > 599) return undefined;
  if (form === undefined) return { status: code };
  const known = retryForms.find((name) => name === form);
  const wait = whole(ms ?? "", 1000);
  return known === undefined || wait === undefined
    ? undefined
    : { status: code, retry: { form: known, ms: wait } };
};

const forms = new Map<string, { readonly read: ReadFault; readonly usage: string }>([
  ["latency", { read: counted((ms) => ({ type: "latency", ms })), usage: "latency=200" }],
  ["pace", { read: counted((ms) => ({ type: "pace", ms })), usage: "pace=20" }],
  [
    "status",
    {
      read: (value) => {
        const failure = readFailure(value);
        return failure === undefined ? undefined : { type: "status", failure };
      },
      usage: "status=429 or status=429:seconds:2000",
    },
  ],
  ["cut", { read: counted((bytes) => ({ type: "cut", bytes })), usage: "cut=1000" }],
  [
    "cut-block",
    {
      read: (value) => {
        const [block, where = "inside"] = value.split(":") as [string, string?];
        const index = whole(block);
        if (index === undefined || (where !== "inside" && where !== "after")) return undefined;
        return { type: "cut-block", block: index, where };
      },
      usage: "cut-block=0 or cut-block=0:after",
    },
  ],
  ["end", { read: counted((bytes) => ({ type: "end", bytes })), usage: "end=1000" }],
  [
    "error",
    {
      read: (value) => {
        const [what, after = "1"] = value.split("@") as [string, string?];
        const failure = readFailure(what);
        const events = whole(after);
        if (failure === undefined || events === undefined) return undefined;
        return { type: "error", events, failure };
      },
      usage: "error=529 or error=529@3",
    },
  ],
  [
    "malformed",
    { read: counted((event) => ({ type: "malformed", event }), 1), usage: "malformed=2" },
  ],
  ["utf8", { read: () => ({ type: "utf8" }), usage: "utf8" }],
  ["silence", { read: counted((events) => ({ type: "silence", events }), 1), usage: "silence=3" }],
  ["duplicate", { read: () => ({ type: "duplicate" }), usage: "duplicate" }],
  ["giant", { read: counted((bytes) => ({ type: "giant", bytes })), usage: "giant=1000000" }],
  ["html", { read: counted((status) => ({ type: "html", status }), 502), usage: "html=502" }],
  ["empty", { read: () => ({ type: "empty" }), usage: "empty" }],
]);

const refuse = (text: string): never => {
  const known = [...forms.values()].map((form) => form.usage).join(", ");
  throw new MullError(`fault: "${text.slice(0, 80)}" is not understood. Known: ${known}`, {
    category: "invalid_argument",
    code: "INVALID_FAULT",
    field: "fault",
  });
};

/** Reads `latency=200; status=429:seconds:2000`: the one spelling for options, header and control endpoint. */
export const parseFaults = (text: string): readonly Fault[] =>
  text
    .split(";")
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")
    .map((piece) => {
      const [name, value = ""] = piece.split("=", 2) as [string, string?];
      return forms.get(name.trim())?.read(value.trim()) ?? refuse(piece);
    });
