import { refuses, script } from "@mull/emulator";
import type { JsonObject } from "mull";

import { askStream, askWhole } from "../ask.ts";
import { documentModels, invalidModel, requests } from "../requests.ts";
import { adding } from "./adapters.ts";
import { contractScenarios } from "./contract.ts";
import type { Scenario } from "./scenario.ts";

const model = documentModels.openai;
const chatModel = `openai-chat:${model}`;

const searchCall: JsonObject = {
  id: "ws_01",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "result of 2+2" },
};
const citation: JsonObject = {
  type: "url_citation",
  start_index: 0,
  end_index: 11,
  url: "https://example.com/sums",
  title: "Sums",
};

const cite = (content: JsonObject): JsonObject =>
  content["type"] === "output_text" ? { ...content, annotations: [citation] } : content;

const addSearch = (body: JsonObject): JsonObject => ({
  ...body,
  output: (body["output"] as readonly JsonObject[]).flatMap((item) =>
    item["type"] === "message"
      ? [searchCall, { ...item, content: (item["content"] as readonly JsonObject[]).map(cite) }]
      : [item],
  ),
});

const webSearch = {
  vendor: { wire: "openai-responses", fields: { type: "web_search" } },
} as const;

const refusal: Pick<Scenario, "vendor" | "emulator" | "emulatedOnly" | "run"> = {
  vendor: "openai",
  emulator: { scripts: [script({}, [refuses()])] },
  emulatedOnly: "which question is refused is the service's choice",
  run: (stage) => askStream(stage, requests.simpleText),
};

export const openaiContract: readonly Scenario[] = [
  ...contractScenarios({
    vendor: "openai",
    model,
    invalidModel: invalidModel.openai,
    invalidFields: { reasoning: { effort: "enormous" } },
    retryForm: "seconds",
  }),
  { cassette: "openai/test_contract_refusal", model, ...refusal },
  {
    cassette: "openai/test_contract_grounding",
    vendor: "openai",
    model,
    adapter: adding("a web search and its citation are added to the answer", addSearch),
    run: (stage) => askWhole(stage, { ...requests.simpleText, tools: [webSearch] }),
  },
];

/** The other API of the same vendor: Chat Completions. */
export const openaiChatContract: readonly Scenario[] = [
  ...contractScenarios({
    vendor: "openai",
    model: chatModel,
    prefix: "chat_",
    invalidModel: `openai-chat:${invalidModel.openai}`,
    invalidFields: { reasoning_effort: "enormous" },
    retryForm: "seconds",
  }),
  { cassette: "openai/test_contract_chat_refusal", model: chatModel, ...refusal },
];
