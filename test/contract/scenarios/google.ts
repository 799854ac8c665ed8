import type { JsonObject } from "mull";

import { askStream, askWhole } from "../ask.ts";
import { documentModels, invalidModel, requests } from "../requests.ts";
import { adding, asNdjson, withoutSse } from "./adapters.ts";
import { contractScenarios } from "./contract.ts";
import type { Scenario } from "./scenario.ts";

const model = documentModels.google;

const grounding: JsonObject = {
  webSearchQueries: ["result of 2+2"],
  searchEntryPoint: { renderedContent: "<div>result of 2+2</div>" },
  groundingChunks: [{ web: { uri: "https://example.com/sums", title: "Sums" } }],
  groundingSupports: [
    { segment: { endIndex: 7, text: "2+2 = **4**" }, groundingChunkIndices: [0] },
  ],
};
const safetyRatings = [{ category: "HARM_CATEGORY_HARASSMENT", probability: "NEGLIGIBLE" }];

const addGrounding = (body: JsonObject): JsonObject => ({
  ...body,
  candidates: (body["candidates"] as readonly JsonObject[]).map((candidate) => ({
    ...candidate,
    groundingMetadata: grounding,
    safetyRatings,
  })),
});

const googleSearch = {
  vendor: { wire: "google-generate", fields: { google_search: {} } },
} as const;

export const googleContract: readonly Scenario[] = [
  ...contractScenarios({
    vendor: "google",
    model,
    invalidModel: invalidModel.google,
    invalidFields: { generationConfig: { thinkingConfig: { thinkingLevel: "ENORMOUS" } } },
    retryForm: "info",
  }),
  {
    // Gemini 3 names its calls; 2.5 does not, so that an id has to be made here.
    cassette: "google/test_contract_tool_call_id_generation",
    vendor: "google",
    model: "gemini-2.5-flash",
    run: (stage) => askWhole(stage, requests.twoToolCalls),
  },
  {
    cassette: "google/test_contract_streaming_array",
    vendor: "google",
    model,
    run: (stage) => askStream({ ...stage, fetch: withoutSse(stage.fetch) }, requests.thinkingMed),
  },
  {
    cassette: "google/test_contract_streaming_ndjson",
    vendor: "google",
    model,
    adapter: asNdjson,
    emulatedOnly: "Google does not offer newline-delimited JSON",
    run: (stage) => askStream({ ...stage, fetch: withoutSse(stage.fetch) }, requests.thinkingMed),
  },
  {
    cassette: "google/test_contract_grounding",
    vendor: "google",
    model,
    adapter: adding("grounding metadata and safety ratings are added to the answer", addGrounding),
    run: (stage) => askWhole(stage, { ...requests.simpleText, tools: [googleSearch] }),
  },
];
