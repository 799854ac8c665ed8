import { providers } from "mull";

import { UsageError } from "../frame/usage-error.ts";
import type { BatchLine } from "./batch.ts";
import { parseJson } from "./input.ts";

/** Options of curl that matter here, by what their value is. */
const meanings: ReadonlyMap<string, "header" | "body" | "url"> = new Map([
  ["-H", "header"],
  ["--header", "header"],
  ["-d", "body"],
  ["--data", "body"],
  ["--data-ascii", "body"],
  ["--data-binary", "body"],
  ["--data-raw", "body"],
  ["--json", "body"],
  ["--url", "url"],
]);

/** Other options that take a word, so that it is not taken for the address. */
const valued: ReadonlySet<string> = new Set(
  "-A -b -c -e -m -o -T -u -w -x -X --cacert --connect-timeout --cookie --max-time --output --proxy --request --retry --user --user-agent --write-out".split(
    " ",
  ),
);

/** A request written as a curl command, as the page, browsers and the services' manuals have them. */
export function asCurl(text: string): BatchLine | undefined {
  const words = /^\s*(?:\$ )?curl\s/.test(text) ? wordsOf(text) : undefined;
  if (words === undefined) return undefined;
  const found = { header: [] as string[], body: [] as string[], url: [] as string[] };
  const start = words.indexOf("curl") + 1;
  for (let at = start; at < words.length; at++) {
    const word = words[at]!;
    const short = /^-[Hd](?=.)/.exec(word)?.[0];
    const meaning = meanings.get(short ?? word);
    if (meaning !== undefined)
      found[meaning].push(short === undefined ? (words[++at] ?? "") : word.slice(2));
    else if (valued.has(word)) at++;
    else if (!word.startsWith("-")) found.url.push(word);
  }
  const [url = ""] = found.url;
  return {
    path: url.replace(/^(?:\$\{[^}]*\}|\$\w+|https?:\/\/[^/]*)/, ""),
    headers: Object.fromEntries(found.header.map(splitHeader)),
    body: parseJson(bodyOf(found.body), "The body of the curl command"),
    url,
    ...hostOf(url),
  };
}

function bodyOf(pieces: readonly string[]): string {
  const text = pieces.join("&");
  if (text.trim() === "")
    throw new UsageError("The curl command has no body: -d '{…}' is missing.");
  if (!text.startsWith("@")) return text;
  const file = text.slice(1);
  throw new UsageError(
    "The body of the curl command is not in it.",
    file === "-" ? "Pipe in the body alone." : `It is in a file: mull lint ${file}`,
  );
}

const splitHeader = (header: string): readonly [string, string] => {
  const colon = header.indexOf(":");
  return [header.slice(0, colon).trim(), header.slice(colon + 1).trim()];
};

/** The address picks the provider, and so its rules, when only one provider uses it. */
export function hostOf(url: string): { readonly provider?: string } {
  const host = /https?:\/\/([^/}]+)/.exec(url)?.[1];
  const asked = providers.filter(({ baseUrl }) => new URL(baseUrl).host === host);
  return asked.length === 1 ? { provider: asked[0]!.id } : {};
}

/** One piece of a shell's line: quoted in one of three ways, escaped, bare, or the space between words. */
const piece =
  /'(?<single>[^']*)'|\$'(?<ansi>(?:[^'\\]|\\[^])*)'|"(?<double>(?:[^"\\]|\\[^])*)"|\\(?<escaped>[^])|(?<bare>[^\s'"\\$]+|\$)|(?<space>\s+)/gy;

/** The words of a shell's line. Variables stay as they are written. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const match of text.matchAll(piece)) {
    end = match.index + match[0].length;
    const { single, ansi, double, escaped, bare, space } = match.groups!;
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (escaped !== "\n") {
      const plain = single ?? escaped ?? bare ?? (ansi === undefined ? undefined : unescape(ansi));
      word = (word ?? "") + (plain ?? double!.replaceAll(/\\(["\\$`\n])/g, keepOrJoin));
    }
  }
  if (end < text.length) throw new UsageError("The curl command has a quote that is not closed.");
  return word === undefined ? words : [...words, word];
}

const keepOrJoin = (_all: string, sign: string): string => (sign === "\n" ? "" : sign);

const signs: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** The text inside `$'…'`, which browsers use for values that contain quotes. */
const unescape = (text: string): string =>
  text.replaceAll(
    /\\(?:u([\da-f]{4})|x([\da-f]{2})|([^]))/gi,
    (_all, long: string | undefined, short: string | undefined, sign: string) => {
      const code = long ?? short;
      return code === undefined
        ? (signs.get(sign) ?? sign)
        : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
