import { hex, hmacSha256 } from "../seal/sha256.ts";
import { hexDigits, lowerLetters, randomText, type RandomBytes } from "./random.ts";

const encoder = new TextEncoder();

/** Random ids in the format of their service. */
export const newId: Readonly<
  Record<
    | "anthropicMessage"
    | "anthropicCall"
    | "anthropicRequest"
    | "openaiResponse"
    | "openaiChat"
    | "openaiCall"
    | "openaiRequest"
    | "googleResponse"
    | "googleCall",
    (random: RandomBytes) => string
  >
> = {
  anthropicMessage: (random) => `msg_01${randomText(random, 22)}`,
  anthropicCall: (random) => `toolu_01${randomText(random, 22)}`,
  anthropicRequest: (random) => `req_011C${randomText(random, 20)}`,
  openaiResponse: (random) => `resp_${randomText(random, 50, hexDigits)}`,
  openaiChat: (random) => `chatcmpl-${randomText(random, 29)}`,
  openaiCall: (random) => `call_${randomText(random, 24)}`,
  openaiRequest: (random) => `req_${randomText(random, 32, hexDigits)}`,
  googleResponse: (random) => randomText(random, 22),
  googleCall: (random) => randomText(random, 8, lowerLetters),
};

const itemPrefixes = ["rs", "msg", "fc"] as const;
export type ItemPrefix = (typeof itemPrefixes)[number];

/** What the id of an output item encodes. */
export interface ItemIdFacts {
  readonly prefix: ItemPrefix;
  /** Shared by all items of one response. */
  readonly response: string;
  readonly index: number;
  /** Position of the reasoning item it belongs to. */
  readonly reasoning: number | undefined;
}

const none = 255;
const twoDigits = (value: number): string => value.toString(16).padStart(2, "0");

const responseKeyLength = 34;

/** Items of one response share the first characters of their ids. The service uses them to check pairs. */
export const itemId = (secret: string, facts: ItemIdFacts): string => {
  const head = `${facts.response}${twoDigits(facts.index)}${twoDigits(facts.reasoning ?? none)}`;
  const mac = hmacSha256(encoder.encode(secret), encoder.encode(`${facts.prefix}_${head}`));
  return `${facts.prefix}_${head}${hex(mac.subarray(0, 6))}`;
};

/** What an id of this emulator encodes; `undefined` for any other id. */
export const readItemId = (secret: string, id: string): ItemIdFacts | undefined => {
  const match = /^(rs|msg|fc)_([\da-f]{34})([\da-f]{2})([\da-f]{2})[\da-f]{12}$/.exec(id);
  if (match === null) return undefined;
  const reasoning = Number.parseInt(match[4] as string, 16);
  const facts: ItemIdFacts = {
    prefix: match[1] as ItemPrefix,
    response: match[2] as string,
    index: Number.parseInt(match[3] as string, 16),
    reasoning: reasoning === none ? undefined : reasoning,
  };
  return itemId(secret, facts) === id ? facts : undefined;
};

export const responseKey = (responseId: string): string =>
  responseId.slice("resp_".length, "resp_".length + responseKeyLength);
