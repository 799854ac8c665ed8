import type { ServerSentEvent } from "mull/wire";

import { randomText } from "../world/random.ts";
import { objectIn, type ReadExchange } from "./service.ts";

const longest = 16;

/** OpenAI pads its deltas with random text, so that packet lengths reveal nothing. Others do not. */
export const obfuscate = (
  events: readonly ServerSentEvent[],
  { body, model, world }: ReadExchange,
): readonly ServerSentEvent[] => {
  if (model.provider !== "openai") return events;
  if (objectIn(body["stream_options"])["include_obfuscation"] === false) return events;
  const source = randomText(world.random, 4 * longest);
  return events.map((event, i) => {
    if (!isDelta(event)) return event;
    const start = (i * 7) % (3 * longest);
    const noise = source.slice(start, start + 1 + (event.data.length % longest));
    return { ...event, data: `${event.data.slice(0, -1)},"obfuscation":"${noise}"}` };
  });
};

const isDelta = ({ event, data }: ServerSentEvent): boolean =>
  event === undefined ? data.includes('"delta":{"content":"') : event.endsWith(".delta");
