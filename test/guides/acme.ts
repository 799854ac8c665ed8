import type { Model, Provider } from "mull";
import { wires } from "mull/wire";

// Step 1: declare what it can do.
const acmeOne: Model = {
  id: "acme-one",
  provider: "acme",
  wire: "openai-chat",
  thinking: { kind: "effort", efforts: ["low", "medium", "high"], off: "switch" },
  shows: "full",
  sampling: "free",
  toolChoice: "free",
  replay: "tool-calls",
  outputCap: 32_000,
  status: "current",
};

export const acme: Provider = {
  id: "acme",
  name: "Acme",
  wire: wires["openai-chat"],
  baseUrl: "https://api.acme.example/v1",
  auth: "bearer",
  keyVariables: ["ACME_API_KEY"],
  baseUrlVariable: "ACME_BASE_URL",
  capabilities: ["thinking", "tools"],
  models: [acmeOne],
  assume: (id) => (id.startsWith("acme-") ? { ...acmeOne, id, assumed: true } : undefined),
  quirks: {
    // Step 2: how the dial is spelled.
    knob: "thinking-type+effort",
    // Step 3: where thinking comes from in answers.
    thinkingFields: ["reasoning_content"],
    systemRole: "system",
    capField: "max_tokens",
    omitStore: true,
    omitStrict: true,
  },
};
