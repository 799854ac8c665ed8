import { findModel, type Model, providerName } from "mull";

/** A model as the server offers it. */
export interface OfferedModel {
  /** `provider:id`. */
  readonly ref: string;
  /** No API key is set at all, so the emulator answers. */
  readonly isSimulated: boolean;
  /** Its vendor has no API key, and others have one. */
  readonly lacksKey?: boolean;
}

export interface ModelRow extends OfferedModel {
  readonly model: Model;
  readonly isUsable: boolean;
  /** Price, window, and what is wrong with it. */
  readonly facts: readonly string[];
}

export interface ModelGroup {
  readonly vendor: string;
  /** The note after the vendor's name. */
  readonly remark?: "no key" | "simulated";
  readonly rows: readonly ModelRow[];
}

export function modelOf(ref: string): Model {
  const colon = ref.indexOf(":");
  return colon === -1
    ? findModel(ref)
    : findModel(ref.slice(colon + 1), { provider: ref.slice(0, colon) });
}

/**
 * The id alone, if it is unique: a vendor may have a model on two wires, and so may two vendors.
 */
export function shortName(ref: string): string {
  const colon = ref.indexOf(":");
  const id = ref.slice(colon + 1);
  return colon === -1 || findModel(id).provider === ref.slice(0, colon) ? id : ref;
}

/** Nothing on this server is real: the page says so once, not for each model. */
export const isAllSimulated = (offered: readonly OfferedModel[]): boolean =>
  offered.length > 0 && offered.every((each) => each.isSimulated);

const dead: ReadonlySet<Model["status"]> = new Set(["retired", "never-served"]);

const windowWords = (tokens: number): string =>
  tokens >= 1_000_000
    ? `${Math.round(tokens / 1e5) / 10}M window`
    : `${Math.round(tokens / 1000)}k window`;

/** `$4`, `$0.10`, `$0.075` */
const dollars = (price: number): string =>
  `$${price.toLocaleString("en-US", { minimumFractionDigits: Number.isInteger(price) ? 0 : 2 })}`;

function describeModel(model: Model): readonly string[] {
  const { price, window, status, successor } = model;
  const state =
    status === "current" ? [] : [successor === undefined ? status : `${status}, use ${successor}`];
  return [
    ...state,
    ...(price === undefined ? [] : [`${dollars(price.input)} in · ${dollars(price.output)} out`]),
    ...(window === undefined ? [] : [windowWords(window)]),
  ];
}

/** The groups before the vendors while nothing is typed. */
export interface FirstModels {
  /** Chosen lately, the latest first. */
  readonly recent: readonly string[];
  readonly recommended: readonly string[];
}

const mostRecent = 3;

/** Recent and recommended models, then all of them by vendor. */
export function menuGroups(
  offered: readonly OfferedModel[],
  typed: string,
  { recent, recommended }: FirstModels,
): readonly ModelGroup[] {
  const byVendor = groupModels(offered, typed);
  if (typed.trim() !== "") return byVendor;
  const usable = new Map(
    byVendor.flatMap(({ rows }) => rows.filter((row) => row.isUsable).map((row) => [row.ref, row])),
  );
  const rowsOf = (refs: readonly string[]): readonly ModelRow[] =>
    [...new Set(refs)].flatMap((ref) => usable.get(ref) ?? []);
  const lately = rowsOf(recent).slice(0, mostRecent);
  const rest = rowsOf(recommended).filter((row) => !lately.includes(row));
  const first = [
    { vendor: "Recent", rows: lately },
    { vendor: "Recommended", rows: rest },
  ];
  return [...first.filter(({ rows }) => rows.length > 0), ...byVendor];
}

/** Models by vendor, in the order the server gave them; those that match what was typed. */
export function groupModels(
  offered: readonly OfferedModel[],
  typed: string,
): readonly ModelGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ModelRow[]>();
  for (const each of offered) {
    const model = modelOf(each.ref);
    const vendor = providerName(model.provider);
    const searched = `${vendor} ${each.ref}`.toLowerCase();
    if (!words.every((word) => searched.includes(word))) continue;
    const isUsable = !dead.has(model.status) && each.lacksKey !== true;
    const row = { ...each, model, isUsable, facts: describeModel(model) };
    groups.set(vendor, [...(groups.get(vendor) ?? []), row]);
  }
  // Where all of them are, the page says it once.
  const isMixed = offered.some((each) => !each.isSimulated);
  return [...groups].map(([vendor, rows]) => ({
    vendor,
    ...(rows.every((row) => row.lacksKey === true) && { remark: "no key" as const }),
    ...(isMixed && rows.every((row) => row.isSimulated) && { remark: "simulated" as const }),
    rows,
  }));
}
