import type { Signals } from "@mull/store/parts";
import type { LiveEvents, LiveHearer } from "./live-events.ts";

/** Followers repeat that they follow, so that a vanished one is forgotten. */
const followMs = 10_000;
const followedMs = 3 * followMs;
/** A notification has room for 8000 bytes. */
const idsInWord = 150;

/**
 * Wake-ups through the database. A notification costs every listening process something, and the
 * database a lock, so none is sent for a turn that nobody follows elsewhere.
 */
export function signalEvents(signals: Signals, owner: string): LiveEvents {
  const followed = new Map<string, number>();
  const hearers = new Map<string, LiveHearer>();
  const stops = new Set<() => void>();
  const send = (...words: readonly string[]): void => {
    signals.send(words.join(" ")).catch(() => undefined);
  };
  signals.hear((word) => {
    const [kind, ...ids] = word.split(" ");
    if (kind === "follow") for (const id of ids) followed.set(id, Date.now() + followedMs);
    else if (kind === "news") for (const id of ids) hearers.get(id)?.onNews();
    else if (kind === "stop" && ids[0] === owner) for (const look of stops) look();
  });
  const again = setInterval(() => {
    for (const [id, until] of followed) if (until < Date.now()) followed.delete(id);
    const ids = [...hearers.keys()];
    for (let at = 0; at < ids.length; at += idsInWord) {
      send("follow", ...ids.slice(at, at + idsInWord));
    }
  }, followMs).unref();

  return {
    reach: () => (signals.isHeard() ? "news" : "nothing"),
    tell: () => undefined,
    tellNews: (turnIds) => {
      const ids = turnIds.filter((id) => followed.has(id));
      for (let at = 0; at < ids.length; at += idsInWord) {
        send("news", ...ids.slice(at, at + idsInWord));
      }
    },
    follow: (turnId, hearer) => {
      hearers.set(turnId, hearer);
      send("follow", turnId);
      return () => {
        if (hearers.get(turnId) === hearer) hearers.delete(turnId);
      };
    },
    tellStop: (runner) => send("stop", runner),
    onStop: (look) => void stops.add(look),
    close: async () => clearInterval(again),
  };
}
