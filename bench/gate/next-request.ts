import { resolveModel, type WireId } from "mull";
import { createComposeNext } from "../../packages/mull/src/chat/compose-next.ts";
import { writeBody } from "../../packages/mull/src/chat/write-body.ts";
import { modelOf } from "../contestants/mull.ts";
import { makeMessages } from "../histories.ts";
import type { Count } from "./count.ts";
import { watchReads } from "./encoding.ts";
import { watch } from "./watched-tools.ts";

/** Composes and writes the request of a conversation. */
export type Ask = (messages: ReturnType<typeof makeMessages>) => void;

function createAsk(wire: WireId): Ask {
  const compose = createComposeNext({ leastMessages: 100, mostText: 1e9, rests: 50 });
  return (messages) => {
    const { encoded, written } = compose(resolveModel(modelOf[wire]), { messages }, {});
    writeBody(encoded.body, written);
  };
}

const turn = 4;
const many = 3201;

/** Reads of a message to see that it is still the same: a field is asked for once, a list by its length. */
const mostReads = 24;

/** What two more turns of a short conversation are written with, whatever stands before them. */
const mostWritten = 20_000;

/** What a request costs whose history was sent before, but for its last turn. */
export function countNext(wire: WireId, ask: Ask = createAsk(wire)): readonly Count[] {
  let reads = 0;
  const history = watchReads(makeMessages(wire, many + 3 * turn, "short"), () => {
    reads++;
  });
  const messages = Array.from({ length: many + 3 * turn }, (_, at) => history[at]!);
  for (const turns of [0, 1, 2]) ask(messages.slice(0, many + turns * turn));
  reads = 0;
  let written = 0;
  const stop = watch(JSON, "stringify", (_, text) => {
    written += typeof text === "string" ? text.length : 0;
  });
  ask(messages);
  stop();
  return [
    {
      what: `${wire}: reads of a message for the next request`,
      most: mostReads,
      counted: reads / many,
    },
    {
      what: `${wire}: characters written for the next request`,
      most: mostWritten,
      counted: written,
    },
  ];
}
