/** Repeatable numbers from 0 to below 1. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

const strange: readonly unknown[] = [
  null,
  0,
  -1,
  "",
  "x",
  [],
  {},
  true,
  [null],
  { type: null },
  "\ud800",
];

/** The same JSON with a few values replaced, dropped or left out. */
export function mutate(value: unknown, random: () => number): unknown {
  if (random() < 0.03) return strange[Math.floor(random() * strange.length)];
  if (Array.isArray(value)) {
    return value.filter(() => random() > 0.02).map((item) => mutate(item, random));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => random() > 0.02)
      .map(([name, field]) => [name, mutate(field, random)]),
  );
}

/** A body, whole or streamed, with some of its JSON mutated. */
export const mutateBody = (text: string, random: () => number): string =>
  text
    .split("\n")
    .map((line) => {
      const [, start = "", json = ""] = /^((?:data: ?)?)(\{.*)$/s.exec(line) ?? [];
      if (json === "" || (start !== "" && random() > 0.3)) return line;
      try {
        return start + JSON.stringify(mutate(JSON.parse(json), random));
      } catch {
        return line;
      }
    })
    .join("\n");
