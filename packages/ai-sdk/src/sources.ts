import type { LanguageModelV4Source } from "@ai-sdk/provider";
import type { JsonObject, Reply } from "mull";
import { isJsonObject } from "mull/wire";

/** The pages an answer names as its sources, each once. */
export function sourcesOf({ message, metadata }: Reply): readonly LanguageModelV4Source[] {
  const found = new Map<string, string | undefined>();
  for (const place of [...message.parts, metadata]) {
    for (const { url, title } of pagesIn(place)) {
      if (!found.get(url)) found.set(url, title);
    }
  }
  return [...found].map(([url, title], at) => ({
    type: "source",
    sourceType: "url",
    id: `source-${at}`,
    url,
    ...(title !== undefined && { title }),
  }));
}

interface Page {
  readonly url: string;
  readonly title?: string;
}

/** The fields under which the services list pages: citations, annotations, results, Gemini's chunks. */
const lists = ["citations", "annotations", "content", "groundingChunks"] as const;
/** What such lists stand in. */
const holders = ["extra", "fields", "data", "groundingMetadata"] as const;

function pagesIn(place: unknown): readonly Page[] {
  if (!isJsonObject(place)) return [];
  const here = lists.flatMap((name) => {
    const list = place[name];
    return Array.isArray(list) ? list.flatMap(pageOf) : [];
  });
  return [...here, ...holders.flatMap((name) => pagesIn(place[name]))];
}

/** Anthropic and OpenAI have the address on the item itself, OpenAI's Chat and Gemini inside it. */
function pageOf(item: unknown): readonly Page[] {
  if (!isJsonObject(item)) return [];
  for (const holder of [item, item["url_citation"], item["web"]]) {
    const page = isJsonObject(holder) ? readPage(holder) : undefined;
    if (page !== undefined) return [page];
  }
  return [];
}

function readPage({ url, uri, title }: JsonObject): Page | undefined {
  const address = url ?? uri;
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  return { url: address, ...(typeof title === "string" && { title }) };
}
