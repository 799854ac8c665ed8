import { invalidArgument } from "../../types/error.ts";
import type { HeaderFields } from "../../types/http.ts";

type LowerCaseHeaders = Readonly<Record<string, string>>;

/** Headers with lower-case names, so that the caller's replace ours. */
export function lowerCased(headers: HeaderFields = {}): LowerCaseHeaders {
  const lowered: Record<string, string> = {};
  // `Object.entries(new Headers({ a: "b" }))` is empty, so a `Headers`, a `Map` or a list of pairs is iterated.
  for (const [name, value] of isPairs(headers) ? headers : Object.entries(headers)) {
    if (!fieldName.test(name))
      throw invalidArgument("headers", name, "names of letters, digits and dashes");
    lowered[name.toLowerCase()] = value;
  }
  return lowered;
}

const isPairs = (headers: HeaderFields): headers is Iterable<readonly [string, string]> =>
  Symbol.iterator in headers;

/** `fetch` reports any other name as a lost connection. */
const fieldName = /^[!#$%&'*+.^`|~\w-]+$/;

/** This header is a list: the caller's betas are added to those that the request needs. */
const betas = "anthropic-beta";

/** The headers a request needs, plus the caller's, which win. */
export function joinHeaders(needed: LowerCaseHeaders, wanted: LowerCaseHeaders): LowerCaseHeaders {
  const joined = { ...needed, ...wanted };
  const first = needed[betas];
  const second = wanted[betas];
  return first && second ? { ...joined, [betas]: `${first},${second}` } : joined;
}

const credential = /^(?:(?:proxy-)?authorization|cookie|(?:x-|x-goog-)?api-key)$/i;

/** Whether a header holds credentials. Such a header is sent to one address only. */
export const isCredential = (name: string): boolean => credential.test(name);

/** The secrets in headers, which no error may repeat; the scheme before one is not secret. */
export const secretsIn = (headers: LowerCaseHeaders): readonly string[] =>
  Object.keys(headers)
    .filter(isCredential)
    .map((name) => headers[name]!.replace(/^\w+ +/, ""));
