import type { Level, Receipt } from "mull";
import { thinkingFieldsOf, plural } from "mull/wire";
import type { UIMessage } from "@mull/ui-messages";
import type { AsOf, Choice } from "../api.ts";
import type { OfferedModel } from "../dial/list-models.ts";
import { formatCount } from "../format.ts";
import { readTurn } from "../thread/read-turn.ts";
import { listHistory, type Inspection } from "./read-inspection.ts";

/** A request of this conversation: one that was made for an answer, or the next one. */
export interface ListedRequest {
  /** Absent: the next one. */
  readonly asOf?: AsOf;
  readonly name: string;
  /** The model it went to, if that is known. */
  readonly choice?: Choice;
  readonly receipt?: Receipt;
  /** Messages on the page that came after it, its own answer first. */
  readonly later: number;
}

export const keyOf = (asOf: AsOf | undefined): string =>
  asOf === undefined ? "" : `${asOf.answerId} ${asOf.step}`;

/** Every request there was, a turn with tools having several, and the one there may be next. */
export function listRequests(
  messages: readonly UIMessage[],
  offered: readonly OfferedModel[],
): readonly ListedRequest[] {
  let nth = 0;
  const made = messages.flatMap((message, index): readonly ListedRequest[] => {
    if (message.role !== "assistant") return [];
    nth++;
    const { steps, facts } = readTurn(message);
    const count = Math.max(1, steps.length);
    return Array.from({ length: count }, (_, at): ListedRequest => {
      const receipt = steps[at]?.receipt;
      const choice = choiceOf(receipt, facts, offered);
      const step = count === 1 ? "" : `, step ${at + 1} of ${count}`;
      const model = receipt?.plan.model;
      return {
        asOf: { answerId: message.id, step: at + 1 },
        name: `answer ${nth}${step}${model === undefined ? "" : ` · ${model}`}`,
        ...(choice !== undefined && { choice }),
        ...(receipt !== undefined && { receipt }),
        later: messages.length - index,
      };
    });
  });
  return [{ name: "the next message", later: 0 }, ...made.toReversed()];
}

function choiceOf(
  receipt: Receipt | undefined,
  facts: { readonly model?: string; readonly level?: Level },
  offered: readonly OfferedModel[],
): Choice | undefined {
  const id = receipt?.plan.model;
  const own = facts.model;
  const model =
    id === undefined || own?.endsWith(`:${id}`)
      ? own
      : offered.find(({ ref }) => ref.endsWith(`:${id}`))?.ref;
  const level = receipt?.plan.asked ?? facts.level;
  return model === undefined || level === undefined ? undefined : { model, level };
}

export interface UnseenDraft {
  /** More is written than so many characters. */
  readonly behind?: number;
  /** So many files go with it. */
  readonly files?: number;
}

/**
 * How what is shown differs from the whole conversation, and from what went out then.
 * `unseen`: what stands in the composer and is not shown.
 */
export function explainRequest(
  { asOf, name, later, receipt }: ListedRequest,
  inspection: Inspection,
  unseen: UnseenDraft = {},
): readonly string[] {
  const { history } = inspection;
  const rows = listHistory(inspection);
  const withheld = rows.filter(({ fate }) => fate === "withheld").length;
  const changed = rows.filter(({ fate }) => fate === "changed").length;
  const { behind, files = 0 } = unseen;
  const beginning = behind === undefined ? "" : `the first ${formatCount(behind)} characters of `;
  const beside = files === 0 ? "" : ` without ${plural(files, "file")}`;
  const written = `${beginning}your draft${beside}`;
  const sent = plural(history.length, "message");
  const after = later > 1 ? ` and ${plural(later - 1, "message")} after it` : "";
  const scope =
    asOf === undefined
      ? `Everything so far and ${written}, ${sent}.`
      : `What came before ${name.split(" · ")[0]}, ${sent}. Left out: the answer itself${after}.`;
  const fates = [
    ...(withheld === 0 ? [] : [`${plural(withheld, "part")} withheld`]),
    ...(changed === 0 ? [] : [`${plural(changed, "part")} changed`]),
  ];
  return [
    scope,
    ...(fates.length === 0
      ? ["Nothing is withheld or changed."]
      : [`On the way to this model: ${fates.join(", ")}, as the list says.`]),
    ...(receipt === undefined ? [] : compareThen(receipt, inspection)),
  ];
}

/** Where the receipt of that request differs. */
function compareThen(receipt: Receipt, inspection: Inspection): readonly string[] {
  if (receipt.plan.model !== inspection.plan.model || receipt.plan.asked !== inspection.plan.asked)
    return [`It was sent to ${receipt.plan.model} at ${receipt.plan.asked}.`];
  const then = JSON.stringify(receipt.sent);
  const isSame = then === JSON.stringify(thinkingFieldsOf(inspection.body));
  const repairs = receipt.repairs.map(
    ({ detail }) => `It was repaired before the service accepted it: ${detail}`,
  );
  return [isSame ? "The receipt shows thinking and room." : `Then ${then} was sent.`, ...repairs];
}
