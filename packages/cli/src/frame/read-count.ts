import { UsageError } from "./usage-error.ts";

/** A whole number from an option; thousands may be grouped. */
export function readCount(option: string, text: string | undefined, least = 0): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text.replaceAll(/[_,]/g, ""));
  if (text.trim() !== "" && Number.isSafeInteger(number) && number >= least) return number;
  const allowed = `whole numbers${least > 0 ? ` from ${least} on` : ""}`;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is not allowed. Allowed: ${allowed}`);
}

export function readPort(option: string, text: string | undefined): number | undefined {
  const port = readCount(option, text);
  if (port === undefined || port <= 65_535) return port;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is not allowed. Allowed: 0 to 65535`);
}
