import type { UIMessage } from "@mull/ui-messages";
import { providerName, type TokenCount } from "mull";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { wordsOf, type Api, type Choice } from "../api.ts";
import { modelOf } from "../dial/list-models.ts";
import { formatTokens } from "../format.ts";
import type { UIFilePart } from "../thread/read-turn.ts";
import { estimateNext, type Around } from "./read-context.ts";

/** All that a count depends on. */
export interface NextQuestion {
  readonly conversationId: string | undefined;
  readonly messages: readonly UIMessage[];
  readonly text: string;
  readonly files: readonly UIFilePart[];
  readonly choice: Choice;
  readonly around: Around;
}

export interface TokenLineProps {
  readonly next: NextQuestion;
  readonly count: Api["count"];
}

interface Counted {
  readonly next: NextQuestion;
  readonly words: string;
}

/**
 * What the question about to be sent takes. It is estimated here; a service counts it when somebody
 * asks, because what is not sent yet goes nowhere by itself.
 */
export function TokenLine({ next, count }: TokenLineProps): JSX.Element {
  const { conversationId, messages, text, files, choice, around } = next;
  const [counted, setCounted] = useState<Counted>();
  const [isBusy, setBusy] = useState(false);
  const estimate = useMemo(
    () => estimateNext(messages, around, text, files.length),
    [messages, around.instructions, around.system, text, files.length],
  );
  const vendor = providerName(modelOf(choice.model).provider);
  const ask = async (): Promise<void> => {
    setBusy(true);
    const parts = [...files, { type: "text" as const, text }];
    const words = await count(conversationId, parts, choice).then(
      (found) => describeCount(found, vendor),
      wordsOf,
    );
    setCounted({ next, words });
    setBusy(false);
  };
  if (counted !== undefined && isSame(counted.next, next)) return <span>{counted.words}</span>;
  return (
    <span>
      about {formatTokens(estimate)} in, estimated{" "}
      <button
        type="button"
        class="count"
        title={`Ask ${vendor} to count`}
        disabled={isBusy}
        onClick={() => void ask()}
      >
        {isBusy ? "counting…" : "count"}
      </button>
    </span>
  );
}

const describeCount = ({ tokens, source, reason }: TokenCount, vendor: string): string =>
  source === "service"
    ? `${formatTokens(tokens)} in, counted by ${vendor}`
    : `about ${formatTokens(tokens)} in, estimated: ${reason ?? "the service did not count"}`;

const isSame = (one: NextQuestion, other: NextQuestion): boolean =>
  one.conversationId === other.conversationId &&
  one.messages === other.messages &&
  one.text === other.text &&
  one.choice === other.choice &&
  one.files.length === other.files.length &&
  one.files.every((file, index) => file === other.files[index]);
