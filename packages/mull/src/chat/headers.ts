type Headers = Readonly<Record<string, string>>;

/** In one spelling, so that a header of the caller's replaces ours and does not stand beside it. */
export const lowerCased = (headers: Headers = {}): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A list: what the caller switches on comes on top of what the request needs. */
const betas = "anthropic-beta";

/** What a request needs, and what the caller wants beside or instead of it. */
export function joinHeaders(needed: Headers, wanted: Headers): Headers {
  const lists = [needed[betas], wanted[betas]].filter((list) => list !== undefined);
  return { ...needed, ...wanted, ...(lists.length > 1 && { [betas]: lists.join(",") }) };
}
