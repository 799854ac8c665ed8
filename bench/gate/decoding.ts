import { resolveModel, type StreamEvent, type WireId } from "mull";
import { type StreamDecoder, createFraming } from "mull/wire";
import { modelOf } from "../contestants/mull.ts";
import { createHotReader } from "../../packages/mull/src/wire/common/hot-delta.ts";
import { makeStream, type StreamShape } from "../streams.ts";
import { type Count, exponentOf, linear } from "./count.ts";
import { type Tools, watchTools } from "./watched-tools.ts";

/** Reads the chunks of a stream and returns the number of events. */
export interface Reader {
  readonly push: (chunk: Uint8Array) => number;
  readonly end: () => void;
}

function decoderOf(wire: WireId): StreamDecoder {
  const { provider, model } = resolveModel(modelOf[wire]);
  return provider.wire.decodeStream({
    origin: { wire, provider: provider.id, model: model.id },
    now: () => 0,
    newId: () => "id",
    hotReader: createHotReader,
    ...(provider.quirks !== undefined && { quirks: provider.quirks }),
  });
}

/** How the library itself turns bytes into events. */
export function createReader(wire: WireId): Reader {
  const decoder = decoderOf(wire);
  let out: StreamEvent[] = [];
  const framing = createFraming((data, event) => {
    if (!decoder.finished()) decoder.push(data, event, out);
  });
  return {
    push: (chunk) => {
      framing.push(chunk);
      const { length } = out;
      out = [];
      return length;
    },
    end: () => framing.end(),
  };
}

interface Work extends Tools {
  readonly events: number;
  readonly bytes: number;
}

function workOf(makeReader: () => Reader, bytes: Uint8Array, chunk: number): Work {
  const reader = makeReader();
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.slice(at * chunk, (at + 1) * chunk),
  );
  let events = 0;
  const tools = watchTools(() => {
    for (const each of chunks) events += reader.push(each);
    reader.end();
  });
  return { ...tools, events, bytes: bytes.length };
}

/** Weighed by what each roughly costs: a frame parsed is a unit. */
const total = ({ parsed, parsedLength, decodes, decoded, copied }: Work): number =>
  parsed + parsedLength / 1000 + decodes / 5 + decoded / 1000 + copied / 10_000;

const base: StreamShape = { thinking: 2000, text: 2000, input: 200 };
const chunk = 16_384;

/** The sizes that grow eightfold, one at a time. */
const growths: readonly {
  readonly name: string;
  readonly small: readonly [StreamShape, number];
  readonly large: readonly [StreamShape, number];
  /** Work that does not depend on the size of chunks has exponent 0: that is linear in a chunk. */
  readonly offset: number;
}[] = [
  {
    name: "length",
    small: [base, chunk],
    large: [{ thinking: 16_000, text: 16_000, input: 1600 }, chunk],
    offset: 0,
  },
  {
    name: "argument length",
    small: [{ thinking: 10, text: 10, input: 2500 }, chunk],
    large: [{ thinking: 10, text: 10, input: 20_000 }, chunk],
    offset: 0,
  },
  { name: "chunk size", small: [base, chunk], large: [base, 8 * chunk], offset: 1 },
];

/** Counts the runtime's work while a streamed answer is read. */
export function countDecoding(
  wire: WireId,
  makeReader: () => Reader = () => createReader(wire),
): readonly Count[] {
  const work = (shape: StreamShape, size: number): Work =>
    workOf(makeReader, makeStream(wire, shape).bytes, size);
  const { events, bytes, parsed, decoded, copied } = work(base, chunk);
  return [
    { what: `${wire}: frames parsed per 100 events`, most: 3, counted: (parsed / events) * 100 },
    { what: `${wire}: bytes decoded per byte`, most: 1.05, counted: decoded / bytes },
    { what: `${wire}: bytes copied per byte`, most: 0.2, counted: copied / bytes },
    ...growths.map(({ name, small, large, offset }) => ({
      what: `${wire}: exponent of ${name}`,
      most: linear,
      counted: offset + exponentOf(total(work(...small)), total(work(...large)), 8),
    })),
  ];
}
