import type {
  Cost,
  HistoryChange,
  JsonValue,
  Level,
  MullError,
  Note,
  Receipt,
  Repair,
  Usage,
  WireId,
} from "mull";

/** What happened to one request: one line of a log, and of what `mull gateway` prints. */
export interface GatewayReceipt {
  /** The id the client was told. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly wire: WireId;
  readonly action: "generate" | "count" | "compact" | "models" | "none";
  /** The model that was asked for, at most 200 characters of it. */
  readonly asked: string;
  /** The model that answered, and how hard it was told to think. */
  readonly provider?: string;
  readonly model?: string;
  readonly level?: Level;
  /** `pass`: bytes went through as they are. `translate`: another wire, model or level. */
  readonly lane: "pass" | "translate" | "none";
  readonly stream: boolean;
  readonly status: number;
  readonly repairs: readonly Repair[];
  readonly withheld: readonly HistoryChange[];
  readonly changes: readonly HistoryChange[];
  readonly notes: readonly Note[];
  /** Seals of other services that travel through the client. */
  readonly seals: {
    readonly opened: number;
    readonly broken: number;
    readonly carried: number;
    readonly lost: readonly string[];
  };
  /** Models that were asked before the one that answered, and why they did not. */
  readonly fallbacks: readonly { readonly model: string; readonly error: string }[];
  readonly upstreamRequestId?: string;
  readonly usage?: Omit<Usage, "raw">;
  readonly cost?: Cost;
  readonly firstMs?: number;
  readonly totalMs: number;
  readonly error?: { readonly category: string; readonly code?: string; readonly message: string };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A receipt that is being written. */
export interface ReceiptDraft {
  readonly fields: Mutable<GatewayReceipt>;
  /** Takes over what the library says about a request. */
  readonly take: (receipt: Receipt | undefined) => void;
  readonly fail: (error: MullError) => void;
  /** The first byte of an answer leaves. */
  readonly begin: () => void;
  /** Only the first end counts. */
  readonly end: () => void;
  /** Called with the receipt when the request is over. */
  readonly afterwards: (told: (receipt: GatewayReceipt) => void) => void;
}

/** Opens the receipt of a request. */
export function openReceipt(
  { id, wire, action }: Pick<GatewayReceipt, "id" | "wire" | "action">,
  now: () => number,
  onEnd: (receipt: GatewayReceipt) => void,
): ReceiptDraft {
  const began = performance.now();
  let isOver = false;
  const listeners = [onEnd];
  const fields: ReceiptDraft["fields"] = {
    id,
    wire,
    action,
    startedAt: now(),
    asked: "",
    lane: "none",
    stream: false,
    status: 200,
    repairs: [],
    withheld: [],
    changes: [],
    notes: [],
    seals: { opened: 0, broken: 0, carried: 0, lost: [] },
    fallbacks: [],
    totalMs: 0,
  };
  return {
    fields,
    take: (receipt) => {
      if (receipt === undefined) return;
      const { repairs, withheld, changes, notes, usage, cost, requestId, plan } = receipt;
      Object.assign(fields, { repairs, withheld, changes, notes, level: plan.applied });
      if (usage !== undefined) fields.usage = usage;
      if (cost !== undefined) fields.cost = cost;
      if (requestId !== undefined) fields.upstreamRequestId = requestId;
    },
    fail: ({ category, code, message }) => {
      fields.error = { category, ...(code !== undefined && { code }), message };
    },
    begin: () => {
      fields.firstMs ??= Math.round(performance.now() - began);
    },
    end: () => {
      if (isOver) return;
      isOver = true;
      fields.totalMs = Math.round(performance.now() - began);
      for (const told of listeners) told(fields);
    },
    afterwards: (told) => void listeners.push(told),
  };
}

const longestHeader = 2048;

const count = <T>(list: readonly T[], name: (item: T) => string): JsonValue => {
  const names = list.map(name);
  return Object.fromEntries(
    [...new Set(names)].map((each) => [each, names.filter((other) => other === each).length]),
  );
};

/** The receipt as a header: ASCII, at most 2 KB, what is known before the first byte. */
export function receiptHeader({ fields }: ReceiptDraft): string {
  const { lane, asked, provider, model, level, repairs, withheld, changes, notes } = fields;
  const { opened, broken } = fields.seals;
  const short = {
    asked,
    ...(model !== undefined && { model: `${provider}:${model}` }),
    ...(level !== undefined && { level }),
    ...(opened + broken > 0 && { seals: { opened, broken } }),
    ...(fields.fallbacks.length > 0 && { fallbacks: fields.fallbacks.map((each) => each.model) }),
  };
  const told = (isFull: boolean): string =>
    ascii({
      lane,
      ...short,
      ...(repairs.length > 0 && { repairs: count(repairs, ({ rule }) => rule) }),
      ...(withheld.length > 0 && {
        withheld: count(withheld, ({ code, detail }) => (isFull ? detail : code)),
      }),
      ...(changes.length > 0 && { changes: count(changes, ({ code }) => code) }),
      ...(notes.length > 0 && {
        notes: notes.map(({ code, message }) => (isFull ? `${code}: ${message}` : code)),
      }),
    });
  const full = told(true);
  if (full.length <= longestHeader) return full;
  const brief = told(false);
  return brief.length <= longestHeader ? brief : ascii({ lane, ...short });
}

const ascii = (value: object): string => {
  const json = JSON.stringify(value);
  if (/^[\x20-\x7E]*$/.test(json)) return json;
  return json.replaceAll(
    /[^\x20-\x7E]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
};
