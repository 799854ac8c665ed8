import { wrongArgument } from "./error.ts";

/** Names of other libraries for our options, in lower case without dashes. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["maxtokens", "maxOutputTokens"],
  ["maxcompletiontokens", "maxOutputTokens"],
  ["abortsignal", "signal"],
  ["maxretries", "maxAttempts"],
  ["effort", "level"],
  ["reasoningeffort", "level"],
  ["stop", "stopSequences"],
  ["messages", "history"],
  ["parameters", "input"],
  ["schema", "input"],
  ["execute", "run"],
]);

/**
 * Refuses a misspelt option, which would be ignored silently. An unknown name that resembles none
 * of ours is allowed, but an object with nothing but unknown names is refused.
 */
export function checkNames(what: string, given: object, known: object): void {
  const names = Object.keys(given).filter((name) => Reflect.get(given, name) !== undefined);
  const strange = names.filter((name) => !Object.hasOwn(known, name));
  for (const name of strange) {
    const meant = nearest(name, Object.keys(known));
    if (meant === undefined || names.includes(meant)) continue;
    const message = `${what}: ${JSON.stringify(name)} is not known. Did you mean ${meant}?`;
    throw wrongArgument(message, name, { allowed: [meant] });
  }
  if (strange.length > 0 && strange.length === names.length) {
    const allowed = Object.keys(known).toSorted();
    const list = strange.map((name) => JSON.stringify(name)).join(", ");
    const message = `${what}: ${list} is not known here. Allowed: ${allowed.join(" ")}`;
    throw wrongArgument(message, strange[0]!, { allowed });
  }
}

/** The known name that a slip of the hand, or another way of spelling, made this one of. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const asked = plain(name);
  const other = otherNames.get(asked);
  if (other !== undefined && known.includes(other)) return other;
  return (
    known.find((each) => plain(each) === asked) ??
    // Short names differ by one letter from many words with another meaning: `stop`, `step`.
    (asked.length < 5 ? undefined : known.find((each) => isOneSlip(asked, plain(each))))
  );
}

/** `max_output_tokens` and `baseURL` are other spellings of the same name. */
const plain = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();

/** One letter too many, missing, wrong, or two in the wrong order. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [left, right] = [a.slice(start), b.slice(start)];
  return (
    left.slice(1) === right ||
    right.slice(1) === left ||
    left.slice(1) === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}
