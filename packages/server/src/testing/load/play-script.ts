import type { ServerResponse } from "node:http";
import { burstEvents, writeStamp, type Dialect, type Script } from "./script.ts";

type Play = (response: ServerResponse, script: Script) => void;

const head = { "content-type": "text/event-stream", "cache-control": "no-cache" };

/** Writes the streams that scripts ask for. */
export function createPlayer(dialect: Dialect): Play {
  const bursts = new Map<number, readonly string[]>();
  const burst = (events: number): readonly string[] => {
    const known = bursts.get(events) ?? burstEvents(dialect, events);
    bursts.set(events, known);
    return known;
  };
  return (response, script) => {
    response.writeHead(200, head);
    if (script.kind === "burst") {
      for (const event of burst(script.events)) response.write(event);
      response.end();
    } else if (script.kind === "large") writeLarge(response, dialect, script.characters);
    else {
      response.write(dialect.start.join("") + dialect.begin("text"));
      if (script.kind === "paced") pace(response, dialect, script);
      else response.write(dialect.delta("text", "Let me see"));
    }
  };
}

function writeLarge(response: ServerResponse, dialect: Dialect, characters: number): void {
  response.write(dialect.start.join("") + dialect.begin("text"));
  const piece = dialect.delta("text", "x".repeat(10_000));
  for (let left = characters; left > 0; left -= 10_000) response.write(piece);
  response.end(dialect.end("text").join("") + dialect.finish.join(""));
}

function pace(
  response: ServerResponse,
  dialect: Dialect,
  { events, perSecond }: Extract<Script, { kind: "paced" }>,
): void {
  const dueMs = 1000 / perSecond;
  const startedAt = performance.now();
  let written = 0;
  // A timer of its own each time: an interval that came late would never catch up.
  const next = (): void => {
    if (response.destroyed) return;
    if (written++ === events) {
      response.end(dialect.end("text").join("") + dialect.finish.join(""));
      return;
    }
    response.write(dialect.delta("text", writeStamp()));
    setTimeout(next, startedAt + written * dueMs - performance.now());
  };
  next();
}
