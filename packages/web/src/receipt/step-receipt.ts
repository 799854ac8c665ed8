import type { Cost, Receipt, Usage } from "mull";

/** The content of a step's `data-receipt` part. */
export interface StepReceipt {
  readonly receipt: Receipt;
  readonly usage: Usage;
  readonly cost?: Cost;
  readonly timing?: { readonly firstMs?: number; readonly totalMs?: number };
}

/** A step may be stored without its receipt, or by a server that is newer than the page. */
export function isStepReceipt(data: unknown): data is StepReceipt {
  const plan = (data as Partial<StepReceipt> | undefined)?.receipt?.plan;
  return plan !== undefined && typeof plan.asked === "string";
}

/** The warning that ends an answer which was not sent as asked; nothing where it was. */
export function warnOf(steps: readonly StepReceipt[]): string | undefined {
  const step = steps.find(({ receipt }) => reasonOf(receipt) !== undefined);
  if (step === undefined) return undefined;
  const { plan } = step.receipt;
  const got = plan.applied === plan.asked ? "" : `asked ${plan.asked}, got ${plan.applied}: `;
  return `${got}${reasonOf(step.receipt)}`;
}

function reasonOf({ plan, repairs, notes }: Receipt): string | undefined {
  const warning = [...notes, ...plan.notes].find(({ severity }) => severity === "warning");
  if (warning !== undefined) return lowerFirst(warning.message);
  return repairs[0] === undefined ? undefined : `repaired: ${repairs[0].detail}`;
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
