import { existsSync } from "node:fs";
import type { Fetch, Message } from "mull";
import type { Contestant } from "./contestant.ts";

const folder = new URL("../peers/", import.meta.url);

/** One way to make a request to Anthropic out of a history. */
export interface Writer {
  readonly name: string;
  /** The messages in the library's own form; not measured. */
  readonly toHistory: (messages: readonly Message[]) => unknown;
  /** Sends them through the library's public call and reads the answer. */
  readonly send: (history: unknown, fetch: Fetch) => Promise<void>;
}

interface Peers {
  readonly peers: readonly Contestant[];
  readonly writers: readonly Writer[];
}

/** The libraries people would use instead, where `npm run bench:peers` has installed them. */
async function importPeers(): Promise<Peers> {
  if (!existsSync(new URL("node_modules", folder))) return { peers: [], writers: [] };
  return (await import(new URL("contestants.mjs", folder).href)) as Peers;
}

export const loadPeers = async (): Promise<Peers["peers"]> => (await importPeers()).peers;

export const loadWriters = async (): Promise<Peers["writers"]> => (await importPeers()).writers;
