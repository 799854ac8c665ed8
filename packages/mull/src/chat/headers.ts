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

const credential = /^(?:(?:proxy-)?authorization|cookie|(?:x-|x-goog-)?api-key)$/i;

/** Whether a header says who asks, so that it is for one address only. */
export const isCredential = (name: string): boolean => credential.test(name);

/** What no error may repeat of these headers; the scheme before it is no secret. */
export const secretsIn = (headers: Headers): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    isCredential(name) ? [value.replace(/^\w+ +/, "")] : [],
  );
