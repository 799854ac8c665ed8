import type { Cost, Usage } from "../types/usage.ts";
import type { Model } from "../types/model.ts";
import { requireObject } from "../types/error.ts";

const million = 1_000_000;
/** What Anthropic keeps for an hour costs twice as much as plain input. */
const hourScale = 2;

/** The cost of an answer in US dollars; `undefined` if the model's price or the token counts are unknown. */
export const costOf = (usage: Usage, model: Model): Cost | undefined => {
  requireObject("usage", usage, "the usage of an answer");
  requireObject("model", model, "what findModel returns");
  const { price } = model;
  if (price === undefined || usage.input === undefined || usage.output === undefined) {
    return undefined;
  }
  const { cacheRead: readTokens = 0, cacheWrite: writeTokens = 0, thinking: thought = 0 } = usage;
  const whole = usage.input + readTokens + writeTokens;
  const long = price.long !== undefined && whole > price.long.threshold ? price.long : undefined;
  const rate = long ?? price;
  const readRate = rate.cacheRead ?? rate.input;
  const writeScale = price.input === 0 ? 0 : rate.input / price.input;
  const writeRate = price.cacheWrite === undefined ? rate.input : price.cacheWrite * writeScale;
  const { summaryInput = 0, summaryOutput = 0 } = usage;
  const input = ((usage.input + summaryInput) * rate.input) / million;
  const cacheRead = (readTokens * readRate) / million;
  const { cacheWriteHour: hourTokens = 0 } = usage;
  const hourRate = hourScale * rate.input;
  const cacheWrite = ((writeTokens - hourTokens) * writeRate + hourTokens * hourRate) / million;
  const output = ((usage.output + summaryOutput) * rate.output) / million;
  const thinking = (thought * rate.output) / million;
  const guessed =
    (readTokens > 0 && rate.cacheRead === undefined) ||
    (writeTokens > 0 && price.cacheWrite === undefined) ||
    usage.thinkingSource === "estimated" ||
    usage.estimated === true;
  return {
    total: input + cacheRead + cacheWrite + output + thinking,
    input,
    cacheRead,
    cacheWrite,
    output,
    thinking,
    ...(guessed && { estimated: true }),
    ...(usage.estimated && { atLeast: true }),
  };
};

/** The sum of two costs. */
export const addCost = (a: Cost, b: Cost): Cost => ({
  total: a.total + b.total,
  input: a.input + b.input,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output,
  thinking: a.thinking + b.thinking,
  ...((a.estimated ?? b.estimated) && { estimated: true }),
  ...((a.atLeast ?? b.atLeast) && { atLeast: true }),
});
