import { calls, emulate, redacts, says, script, thinks, type Action } from "@mull/emulator";
import type { Fetch, WireId } from "mull";

/**
 * A conversation held by a library, in the form it keeps one itself: `say` a question, `ask` a
 * model and keep what the library keeps of the answer, `answer` the calls it made.
 */
export interface Talk {
  readonly say: (text: string) => void;
  readonly answer: () => void;
  readonly ask: (wire: WireId) => Promise<void>;
}

export type OpenTalk = (fetch: Fetch) => Talk;

/** What is put between a library and the service. */
export type Wrap = (fetch: Fetch) => Fetch;
const asItIs: Wrap = (fetch) => fetch;

const thought = "Let me look it up first.";
const looking: readonly Action[] = [thinks(thought), calls("look")];

/** What went over the wire, and whether the service took it. */
interface Exchange {
  readonly request: string;
  readonly answer: string;
  readonly status: number;
}

interface Service {
  readonly fetch: Fetch;
  readonly exchanges: readonly Exchange[];
}

/** The services with their rules; `alter` may damage the first answer on its way. */
function serve(first: readonly Action[], alter = (answer: string): string => answer): Service {
  const emulator = emulate({
    unknownModels: "accept",
    scripts: [script({}, first, [says("Done.")])],
  });
  const exchanges: Exchange[] = [];
  const fetch: Fetch = async (input, init) => {
    const response = await emulator(input, init);
    const whole = await response.text();
    const answer = exchanges.length === 0 ? alter(whole) : whole;
    const request = typeof init.body === "string" ? init.body : "";
    exchanges.push({ request, answer, status: response.status });
    return new Response(answer, response);
  };
  return { fetch, exchanges };
}

/** The request that counts: the second one, or what it was repaired to. */
const lastOf = ({ exchanges }: Service): Exchange | undefined =>
  exchanges.length > 1 ? exchanges.at(-1) : undefined;

/** Holds the conversation step by step. An error that a library throws is a finding, too. */
async function hold(
  open: OpenTalk,
  service: Service,
  steps: (talk: Talk) => Promise<void>,
  wrap: Wrap,
): Promise<string> {
  const before = globalThis.fetch;
  const fetch = wrap(service.fetch);
  // Some libraries always use the global `fetch`.
  globalThis.fetch = fetch as typeof globalThis.fetch;
  try {
    const talk = open(fetch);
    talk.say("Hi.");
    await steps(talk);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    globalThis.fetch = before;
  }
}

const refusals: readonly (readonly [RegExp, string])[] = [
  [/Expected `thinking`/, "no leading thought"],
  [/Invalid `signature`/, "a signature that is not Claude's own"],
  [/thought_signature/, "no thought signature"],
  [/final block in an assistant message/, "a message that ends with a thought"],
];

function verdictOf({ status, answer }: Exchange): string {
  if (status === 200) return "taken";
  const why = refusals.find(([pattern]) => pattern.test(answer))?.[1];
  return `refused: ${why ?? answer.slice(0, 160)}`;
}

async function handOver(open: OpenTalk, from: WireId, to: WireId, wrap: Wrap): Promise<string> {
  const service = serve(looking);
  const thrown = await hold(
    open,
    service,
    async (talk) => {
      await talk.ask(from);
      talk.answer();
      await talk.ask(to);
    },
    wrap,
  );
  const last = lastOf(service);
  if (last === undefined) return `no request: ${thrown.slice(0, 60)}`;
  const isSpread = from !== to && last.request.includes(thought);
  return `${verdictOf(last)}${isSpread ? "; the thought goes along" : ""}`;
}

const nextQuestion = async (talk: Talk): Promise<void> => {
  await talk.ask("anthropic-messages");
  talk.say("Go on.");
  await talk.ask("anthropic-messages");
};

const signature = /"signature_delta","signature":"([^"]+)"/;

/** The event that carries the signature, as two events with a half of it each. */
const splitSignature = (stream: string): readonly [string, string, string] => {
  const events = stream.split(/(?<=\n\n)/);
  const at = events.findIndex((event) => signature.test(event));
  const event = events[at] ?? "";
  const whole = signature.exec(event)?.[1] ?? "";
  const half = whole.slice(0, whole.length / 2);
  const pieces = [half, whole.slice(half.length)].map((piece) => event.replace(whole, piece));
  const before = events.slice(0, at).join("");
  return [before + pieces[0]!, pieces[1]! + events.slice(at + 1).join(""), half];
};

async function signedInTwoPieces(open: OpenTalk, wrap: Wrap): Promise<string> {
  const service = serve([thinks(thought), says("One.")], (stream) => {
    const [first, second] = splitSignature(stream);
    return first + second;
  });
  const thrown = await hold(open, service, nextQuestion, wrap);
  const last = lastOf(service);
  return last === undefined ? `no request: ${thrown.slice(0, 60)}` : verdictOf(last);
}

async function cutInThought(open: OpenTalk, wrap: Wrap): Promise<string> {
  let half = "";
  const service = serve([thinks(thought), says("One.")], (stream) => {
    const [first, , piece] = splitSignature(stream);
    half = piece;
    return first;
  });
  await hold(
    open,
    service,
    async (talk) => {
      // A library may report the broken stream by throwing; the conversation goes on.
      await talk.ask("anthropic-messages").catch(() => undefined);
      talk.say("Go on.");
      await talk.ask("anthropic-messages");
    },
    wrap,
  );
  const last = lastOf(service);
  if (last === undefined) return "no request";
  const isSent = last.request.includes(half);
  return `${verdictOf(last)}${isSent ? "; half a signature is sent" : ""}`;
}

async function redactedThought(open: OpenTalk, wrap: Wrap): Promise<string> {
  const service = serve([redacts(), says("One.")]);
  const thrown = await hold(open, service, nextQuestion, wrap);
  const [first] = service.exchanges;
  const last = lastOf(service);
  if (last === undefined) return `no request: ${thrown.slice(0, 60)}`;
  const data = /"redacted_thinking","data":"([^"]+)"/.exec(first?.answer ?? "")?.[1] ?? "none";
  return `${verdictOf(last)}; ${last.request.includes(data) ? "kept" : "lost"}`;
}

export interface Probe {
  readonly what: string;
  readonly run: (open: OpenTalk, wrap?: Wrap) => Promise<string>;
}

/** The probes for every library. The first one must succeed with all of them: it shows that the setup is fair. */
export const probes: readonly Probe[] = [
  {
    what: "Claude continues after its own tool call",
    run: (open, wrap = asItIs) => handOver(open, "anthropic-messages", "anthropic-messages", wrap),
  },
  {
    what: "Claude with a thinking budget takes over OpenAI's tool loop",
    run: (open, wrap = asItIs) => handOver(open, "openai-responses", "anthropic-messages", wrap),
  },
  {
    what: "Gemini 3 takes over Claude's tool loop",
    run: (open, wrap = asItIs) => handOver(open, "anthropic-messages", "google-generate", wrap),
  },
  {
    what: "the next question after redacted thinking",
    run: (open, wrap = asItIs) => redactedThought(open, wrap),
  },
  {
    what: "the next question after a signature in two pieces",
    run: (open, wrap = asItIs) => signedInTwoPieces(open, wrap),
  },
  {
    what: "the next question after a stream cut in a signature",
    run: (open, wrap = asItIs) => cutInThought(open, wrap),
  },
];
