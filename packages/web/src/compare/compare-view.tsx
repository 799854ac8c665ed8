import type { Level } from "mull";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { wordsOf, type Api } from "../api.ts";
import { modelOf, shortName } from "../dial/list-models.ts";
import { listStops } from "../dial/stops.ts";
import { useBox } from "../state/box.ts";
import type { ThinkingPreference } from "../state/preferences.ts";
import { openLines } from "../stream/lines.ts";
import { watchSight } from "../stream/sight.ts";
import { Said } from "../thread/answer.tsx";
import { readTurn, textOf, type ThreadTurn } from "../thread/read-turn.ts";
import { createColumn, type Column } from "./column.ts";
import { describeColumn } from "./describe-column.ts";
import "../style/compare.css";

export interface CompareViewProps {
  /** One conversation for each answer. */
  readonly ids: readonly string[];
  readonly api: Pick<Api, "load" | "follow" | "stop">;
  readonly now: () => number;
  readonly preference: ThinkingPreference;
  /** Some are real: each that is not says so. */
  readonly marksSimulated: boolean;
  /** Goes on with one of them and deletes the others. */
  readonly onKeep: (id: string, others: readonly string[]) => Promise<void>;
}

/** The same question, answered side by side. */
export function CompareView(props: CompareViewProps): JSX.Element {
  const { ids, api, now, preference, onKeep } = props;
  const key = ids.join(".");
  const columns = useMemo(() => {
    const parts = {
      api,
      now,
      lines: openLines(globalThis),
      sight: watchSight(document, () => false),
    };
    return ids.map((id) => createColumn(parts, id));
  }, [key]);
  useEffect(() => {
    for (const column of columns) void column.start();
    return () => {
      for (const column of columns) column.leave();
    };
  }, [columns]);
  const [keeping, setKeeping] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const keep = async (id: string): Promise<void> => {
    setKeeping(id);
    try {
      await onKeep(
        id,
        ids.filter((other) => other !== id),
      );
    } catch (error) {
      setTrouble(wordsOf(error));
      setKeeping(undefined);
    }
  };
  const [first] = columns;
  return (
    <div class="compare" id="thread" tabIndex={-1}>
      {first === undefined ? null : <Asked column={first} />}
      <p class="hint">
        Keep one answer to continue with it: the others are deleted. If you leave, all stay in the
        list.
      </p>
      <p class="trouble" role="alert">
        {trouble}
      </p>
      <div class="columns">
        {columns.map((column, index) => (
          <ColumnView
            key={column.id}
            column={column}
            nth={index + 1}
            preference={preference}
            marksSimulated={props.marksSimulated}
            isBusy={keeping !== undefined}
            onKeep={() => void keep(column.id)}
          />
        ))}
      </div>
    </div>
  );
}

function Asked({ column }: { readonly column: Column }): JSX.Element | null {
  const question = useBox(column.box, (state) => state.question);
  return question === undefined ? null : (
    <article class="message question" aria-label="Your question">
      <p class="said" dir="auto">
        {textOf(question)}
      </p>
    </article>
  );
}

interface ColumnViewProps {
  readonly column: Column;
  readonly nth: number;
  readonly preference: ThinkingPreference;
  readonly marksSimulated: boolean;
  readonly isBusy: boolean;
  readonly onKeep: () => void;
}

function ColumnView(props: ColumnViewProps): JSX.Element {
  const { column, nth, preference, isBusy, onKeep } = props;
  const state = useBox(column.box, (whole) => whole);
  const { conversation, answer, isLive, isStopping, trouble } = state;
  const name = nameOf(conversation) ?? `answer ${nth}`;
  const chosen = useMemo(() => modelOf(conversation?.model ?? ""), [conversation?.model]);
  const turn = answer === undefined ? undefined : readTurn(answer);
  const error = turn?.facts.error?.message;
  return (
    <section class="compare-column" aria-label={`Answer of ${name}`} aria-busy={isLive}>
      <h2>
        {conversation === undefined && trouble === undefined ? "Opening…" : name}
        {props.marksSimulated && turn?.facts.isSimulated ? " · simulated" : ""}
      </h2>
      <div class="message answer">
        {turn === undefined ? null : (
          <Said turn={turn} isLive={isLive} chosen={chosen} preference={preference} />
        )}
        {isLive && conversation !== undefined && (turn?.blocks.length ?? 0) === 0 ? (
          <p class="waiting">Waiting for {name}…</p>
        ) : null}
        {error === undefined ? null : <p class="trouble">{error}</p>}
        {trouble === undefined ? null : (
          <p class="trouble" role="status">
            {trouble}
          </p>
        )}
      </div>
      <Facts turn={turn} />
      <div class="buttons">
        {isLive ? (
          <button
            type="button"
            aria-label={`Stop ${name}`}
            disabled={isStopping}
            onClick={() => void column.stop()}
          >
            Stop
          </button>
        ) : (
          <button
            type="button"
            class="main"
            aria-label={`Keep this one: ${name}`}
            disabled={isBusy || answer === undefined}
            onClick={onKeep}
          >
            Keep this one
          </button>
        )}
      </div>
    </section>
  );
}

/** `gpt-6-sol · high`, `claude-opus-5-5 · none → low` if the model lacks the level. */
function nameOf(
  conversation: { readonly model?: string; readonly level?: Level } | undefined,
): string | undefined {
  const { model, level = "auto" } = conversation ?? {};
  if (model === undefined) return undefined;
  const stop = listStops(modelOf(model)).find((each) => each.level === level);
  return `${shortName(model)} · ${stop?.leads ?? level}`;
}

const row = (name: string, value: string | undefined): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? "…"}</dd>
  </div>
);

function Facts({ turn }: { readonly turn: ThreadTurn | undefined }): JSX.Element {
  const facts = turn && describeColumn(turn);
  return (
    <dl class="column-facts">
      {row("Cost", facts?.cost)}
      {row("Time", facts?.time)}
      {row("Thinking", facts?.thinking)}
    </dl>
  );
}
