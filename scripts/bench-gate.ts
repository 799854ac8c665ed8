import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type StreamDecoder, type StreamEvent, compose, resolveModel } from "mull";
import { createFraming } from "mull/framing";
import { everyWire } from "../bench/contestants/contestant.ts";
import { modelOf } from "../bench/contestants/mull.ts";
import { makeMessages } from "../bench/histories.ts";
import { makeStream, type StreamShape } from "../bench/streams.ts";

/** What is counted, without a clock, and the most it may be. */
interface Count {
  readonly what: string;
  readonly most: number;
  readonly counted: number;
}

type Wire = (typeof everyWire)[number];

const decoderOf = (wire: Wire): StreamDecoder => {
  const { provider, model } = resolveModel(modelOf[wire]);
  return provider.wire.decodeStream({
    origin: { wire, provider: provider.id, model: model.id },
    now: () => 0,
    newId: () => "id",
    ...(provider.quirks !== undefined && { quirks: provider.quirks }),
  });
};

interface Work {
  events: number;
  /** Frames that were parsed: what the fast paths did not take. */
  parsed: number;
  decodes: number;
  copied: number;
}

/** Reads a stream in chunks and counts what the runtime was asked to do for it. */
function workOf(wire: Wire, shape: StreamShape, chunk: number): Work {
  const { bytes } = makeStream(wire, shape);
  const work: Work = { events: 0, parsed: 0, decodes: 0, copied: 0 };
  const { parse } = JSON;
  // oxlint-disable-next-line typescript/unbound-method -- called with its decoder below
  const { decode } = TextDecoder.prototype;
  const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "set");
  const copy = set?.value as (this: Uint8Array, source: ArrayLike<number>, at?: number) => void;
  JSON.parse = (...given) => {
    // A single string with escapes in it is no frame.
    if (given[0].startsWith("{")) work.parsed++;
    return parse(...given) as unknown;
  };
  TextDecoder.prototype.decode = function (...given) {
    work.decodes++;
    return decode.apply(this, given);
  };
  // oxlint-disable-next-line no-extend-native -- taken back below
  Uint8Array.prototype.set = function (source, at) {
    work.copied += source.length;
    copy.call(this, source, at);
  };
  try {
    const decoder = decoderOf(wire);
    let out: StreamEvent[] = [];
    const framing = createFraming((data, event) => {
      if (!decoder.finished()) decoder.push(data, event, out);
    });
    for (let at = 0; at < bytes.length; at += chunk) {
      framing.push(bytes.slice(at, at + chunk));
      work.events += out.length;
      out = [];
    }
    framing.end();
  } finally {
    JSON.parse = parse;
    TextDecoder.prototype.decode = decode;
    Reflect.deleteProperty(Uint8Array.prototype, "set");
  }
  return work;
}

/** Weighed by what each roughly costs: a frame parsed is a unit. */
const total = ({ parsed, decodes, copied }: Work): number => parsed + decodes / 5 + copied / 10_000;

/** Exponent of counted work over size. */
const exponent = (small: number, large: number, factor: number): number =>
  Math.log(large / small) / Math.log(factor);

function countDecoding(wire: Wire): readonly Count[] {
  const shape = { thinking: 2000, text: 2000, input: 200 };
  const size = makeStream(wire, shape).bytes.length;
  const work = workOf(wire, shape, 16_384);
  const short = workOf(wire, { thinking: 8000, text: 8000, input: 800 }, 16_384);
  const long = workOf(wire, { thinking: 64_000, text: 64_000, input: 6400 }, 16_384);
  const shallow = workOf(wire, { thinking: 10, text: 10, input: 10_000 }, 16_384);
  const deep = workOf(wire, { thinking: 10, text: 10, input: 80_000 }, 16_384);
  const chunked = workOf(wire, shape, 131_072);
  return [
    {
      what: `${wire}: frames parsed per 100 events`,
      most: 3,
      counted: (work.parsed / work.events) * 100,
    },
    { what: `${wire}: bytes copied per byte`, most: 0.2, counted: work.copied / size },
    {
      what: `${wire}: exponent of length`,
      most: 1.05,
      counted: exponent(total(short), total(long), 8),
    },
    {
      what: `${wire}: exponent of argument length`,
      most: 1.05,
      counted: exponent(total(shallow), total(deep), 8),
    },
    {
      what: `${wire}: exponent of chunk size`,
      most: 1.05,
      counted: 1 + exponent(total(work), total(chunked), 8),
    },
  ];
}

/** Objects made for a body, by the length of the history. */
function countEncoding(wire: Wire): Count {
  const sizeOf = (messages: number): number => {
    let objects = 0;
    const { body } = compose(resolveModel(modelOf[wire]), {
      messages: makeMessages(wire, messages),
    }).encoded;
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value === "object") objects++;
      return value;
    });
    return objects;
  };
  return {
    what: `${wire}: exponent of objects by history`,
    most: 1.05,
    counted: exponent(sizeOf(401), sizeOf(3201), 8),
  };
}

/** Modules that an entry of the built library loads, itself included. */
function countModules(entry: string, most: number): Count {
  const seen = new Set<string>();
  const open = [new URL(`../packages/mull/dist/${entry}.js`, import.meta.url).href];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (seen.has(url)) continue;
    seen.add(url);
    const text = readFileSync(new URL(url), "utf8");
    for (const [, path] of text.matchAll(/^(?:import|export)\b[^"']*["'](\.[^"']+)["']/gm)) {
      open.push(new URL(path!, url).href);
    }
  }
  return { what: `modules loaded by ${entry}`, most, counted: seen.size };
}

interface Size {
  readonly name: string;
  readonly size: number;
  readonly passed?: boolean;
  readonly sizeLimit?: number;
}

function countBundles(): readonly Count[] {
  const result = spawnSync("npx", ["--no-install", "size-limit", "--json"], { encoding: "utf8" });
  return (JSON.parse(result.stdout) as readonly Size[]).map(({ name, size, sizeLimit }) => ({
    what: `bytes of ${name}`,
    most: sizeLimit ?? Infinity,
    counted: size,
  }));
}

const counts = [
  ...everyWire.flatMap(countDecoding),
  ...everyWire.map(countEncoding),
  countModules("lean", 12),
  countModules("anthropic", 30),
  countModules("core", 60),
  countModules("index", 220),
  ...countBundles(),
];

const failed = counts.filter(({ most, counted }) => !(counted <= most));
for (const { what, most, counted } of counts) {
  const word = counted <= most ? "ok  " : "FAIL";
  console.log(`${word} ${what}: ${Number(counted.toFixed(2))} of at most ${most}`);
}
process.exitCode = failed.length > 0 ? 1 : 0;
