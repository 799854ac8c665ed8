import { tool, type Tool } from "mull";

/** One search result. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

/** A search service for `searchWeb`. */
export interface SearchProvider {
  readonly name: string;
  /** What a model should know before it calls the tool; appended to the description. */
  readonly note?: string;
  readonly search: (query: string, signal: AbortSignal) => Promise<readonly SearchHit[]>;
}

/** A tool that searches the web through a search provider. */
export const searchWeb = (provider: SearchProvider): Tool =>
  tool<{ readonly query: string }>({
    name: "searchWeb",
    description: [
      "Searches the web for current information: news, prices, markets, facts.",
      ...(provider.note === undefined ? [] : [provider.note]),
    ].join(" "),
    input: {
      type: "object",
      properties: { query: { type: "string", description: "What to look for" } },
      required: ["query"],
      additionalProperties: false,
    },
    idempotent: true,
    timeoutMs: 20_000,
    run: async ({ query }, { signal }) => ({
      source: provider.name,
      results: await provider.search(query.slice(0, 500), signal),
    }),
  });

const shelf: readonly (SearchHit & { readonly about: RegExp })[] = [
  {
    about: /bitcoin|btc|crypto/i,
    title: "Bitcoin price",
    url: "https://example.com/markets/bitcoin",
    text: "Bitcoin trades at 97,250 dollars, up 1.2 percent on the day.",
  },
  {
    about: /ethereum|ether\b|eth\b|crypto/i,
    title: "Ethereum price",
    url: "https://example.com/markets/ethereum",
    text: "Ethereum trades at 3,410 dollars, down 0.4 percent on the day.",
  },
  {
    about: /market|stock|share|index|indices|econom/i,
    title: "Markets today",
    url: "https://example.com/markets",
    text: "Stocks closed mixed: technology gained 0.8 percent, energy lost 0.5 percent, bond yields were little changed.",
  },
  {
    about: /weather|forecast|temperature|rain|snow|umbrella/i,
    title: "Weather",
    url: "https://example.com/weather",
    text: "Cloudy with a light wind, 9 degrees in the afternoon, dry.",
  },
  {
    about: /news|headline|today|latest/i,
    title: "Headlines",
    url: "https://example.com/news",
    text: "A quiet day: a trade agreement was signed, a storm passed without damage, a museum reopened.",
  },
];

/** A search provider that answers from a small fixed list and contacts no service. */
export const offlineSearch: SearchProvider = {
  // Real models read this too, and might quote made-up prices.
  name: "offline stand-in (made-up examples, nothing was looked up)",
  note: "A stand-in: it looks nothing up and answers with made-up examples. Say so.",
  search: async (query) => {
    const hits = shelf.filter(({ about }) => about.test(query));
    return hits.length > 0
      ? hits.map(({ title, url, text }) => ({ title, url, text }))
      : [
          {
            title: "No entry",
            url: "https://example.com/search",
            text: `The offline stand-in knows nothing about ${JSON.stringify(query.slice(0, 80))}. A real search service can be configured.`,
          },
        ];
  },
};
