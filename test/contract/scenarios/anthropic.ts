import { redacts, says, script, thinks } from "@mull/emulator";
import type { JsonObject } from "mull";

import { askStream, askWhole } from "../ask.ts";
import { documentModels, invalidModel, requests } from "../requests.ts";
import { adding } from "./adapters.ts";
import { contractScenarios } from "./contract.ts";
import type { Scenario } from "./scenario.ts";

const model = documentModels.anthropic;

const searched: readonly JsonObject[] = [
  {
    type: "server_tool_use",
    id: "srvtoolu_01",
    name: "web_search",
    input: { query: "result of 2+2" },
  },
  {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_01",
    content: [
      {
        type: "web_search_result",
        title: "Sums",
        url: "https://example.com/sums",
        encrypted_content: "c2VhbGVk",
        page_age: null,
      },
    ],
  },
];

const addSearch = (body: JsonObject): JsonObject => ({
  ...body,
  content: [...searched, ...(body["content"] as readonly JsonObject[])],
});

const webSearch = {
  vendor: {
    wire: "anthropic-messages",
    fields: { type: "web_search_20250305", name: "web_search", max_uses: 1 },
  },
} as const;

export const anthropicContract: readonly Scenario[] = [
  ...contractScenarios({
    vendor: "anthropic",
    model,
    invalidModel: invalidModel.anthropic,
    invalidFields: { thinking: { type: "enabled", budget_tokens: 100 } },
    retryForm: "seconds",
  }),
  {
    cassette: "anthropic/test_contract_redacted_thinking",
    vendor: "anthropic",
    model,
    emulator: {
      scripts: [script({}, [thinks("In the open."), redacts(), says("2+2 is 4.")])],
    },
    emulatedOnly: "which thinking is redacted is the service's choice",
    run: (stage) => askStream(stage, requests.thinkingMed),
  },
  {
    cassette: "anthropic/test_contract_grounding",
    vendor: "anthropic",
    model,
    adapter: adding("the blocks of a web search are added to the answer", addSearch),
    run: (stage) => askWhole(stage, { ...requests.simpleText, tools: [webSearch] }),
  },
];
