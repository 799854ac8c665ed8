import { alwaysOn, effort, lowToHigh, plain, readsText } from "./traits.ts";
import { row, vendor, type Vendor } from "./vendor.ts";

export const xai: Vendor = /* @__PURE__ */ vendor({
  id: "xai",
  name: "xAI",
  wire: "openai-responses",
  baseUrl: "https://api.x.ai/v1",
  auth: "bearer",
  traits: {
    shows: "summary",
    replay: "sealed",
    seals: { reads: [], accountBound: true, endpointBound: true },
    files: { images: true, pdf: false },
  },
  rows: () => [
    row("grok-4.7", effort(lowToHigh, "never")),
    row("grok-4.6", effort([...lowToHigh, "xhigh"], "never")),
    row("grok-4.5", effort(lowToHigh, "never")),
    row("grok-4.3", effort(["none", ...lowToHigh], "effort-none")),
    row("grok-4.20-reasoning", alwaysOn),
    row("grok-4.20-non-reasoning", plain),
    row("grok-4-fast-non-reasoning", plain),
    row("grok-4-1-fast-non-reasoning", plain),
    row("grok-4.1-fast", alwaysOn),
    row("grok-4-fast", alwaysOn),
    row("grok-4", alwaysOn),
    row("grok-code-fast", alwaysOn, readsText),
    row("grok-code-fast-1", alwaysOn, readsText),
    row("grok-3-mini", effort(["low", "high"], "never"), readsText),
    row("grok-3", plain, readsText),
  ],
  assume: (id) =>
    id.startsWith("grok-") ? row(id, effort(lowToHigh, "never"), { assumed: true }) : undefined,
});
