import { levels, type Level } from "mull";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { wordsOf, type Choice } from "../api.ts";
import { groupModels, shortName, type OfferedModel } from "../dial/list-models.ts";
import { Dialog } from "../parts/dialog.tsx";
import "../style/compare.css";

export interface AskSeveralProps {
  readonly offered: readonly OfferedModel[];
  readonly question: string;
  readonly choices: readonly Choice[];
  /** Rejects with what went wrong. */
  readonly onAsk: (question: string, choices: readonly Choice[]) => Promise<void>;
  readonly onClose: () => void;
}

const [fewest, most] = [2, 4];

/** One question, and the models and levels that are to answer it. */
export function AskSeveral(props: AskSeveralProps): JSX.Element {
  const { offered, onAsk, onClose } = props;
  const [question, setQuestion] = useState(props.question);
  const [choices, setChoices] = useState(props.choices);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const groups = useMemo(() => usableGroups(offered), [offered]);
  const change = (at: number, changed: Partial<Choice>): void =>
    setChoices(choices.map((each, index) => (index === at ? { ...each, ...changed } : each)));
  const submit = async (): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    try {
      await onAsk(question, choices);
      onClose();
    } catch (error) {
      setTrouble(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Compare models" class="ask-several" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          Question
          <textarea
            rows={3}
            required
            autoFocus
            value={question}
            onInput={({ currentTarget }) => setQuestion(currentTarget.value)}
          />
        </label>
        {choices.map((choice, at) => (
          <ChoiceRow
            key={at}
            nth={at + 1}
            choice={choice}
            groups={groups}
            onChange={(changed) => change(at, changed)}
            onRemove={
              choices.length > fewest
                ? () => setChoices(choices.filter((_, index) => index !== at))
                : undefined
            }
          />
        ))}
        <p class="trouble" role="alert">
          {trouble}
        </p>
        <div class="buttons">
          {choices.length < most ? (
            <button type="button" onClick={() => setChoices([...choices, choices.at(-1)!])}>
              Add another
            </button>
          ) : null}
          <button type="submit" class="main" disabled={isBusy || question.trim() === ""}>
            {isBusy
              ? "Asking…"
              : choices.length === fewest
                ? "Ask both"
                : `Ask all ${choices.length}`}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type Groups = readonly { readonly vendor: string; readonly refs: readonly string[] }[];

const usableGroups = (offered: readonly OfferedModel[]): Groups =>
  groupModels(offered, "")
    .map(({ vendor, rows }) => ({
      vendor,
      refs: rows.filter(({ isUsable }) => isUsable).map(({ ref }) => ref),
    }))
    .filter(({ refs }) => refs.length > 0);

interface ChoiceRowProps {
  readonly nth: number;
  readonly choice: Choice;
  readonly groups: Groups;
  readonly onChange: (changed: Partial<Choice>) => void;
  readonly onRemove: (() => void) | undefined;
}

const ChoiceRow = ({ nth, choice, groups, onChange, onRemove }: ChoiceRowProps): JSX.Element => (
  <fieldset class="choice">
    <legend class="unseen">Answer {nth}</legend>
    <select
      aria-label={`Model ${nth}`}
      value={choice.model}
      onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
    >
      {groups.map(({ vendor, refs }) => (
        <optgroup key={vendor} label={vendor}>
          {refs.map((ref) => (
            <option key={ref} value={ref}>
              {shortName(ref)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
    <select
      aria-label={`Level ${nth}`}
      value={choice.level}
      onChange={({ currentTarget }) => onChange({ level: currentTarget.value as Level })}
    >
      {levels.map((level) => (
        <option key={level} value={level}>
          {level}
        </option>
      ))}
    </select>
    {onRemove === undefined ? null : (
      <button type="button" aria-label={`Remove answer ${nth}`} onClick={onRemove}>
        Remove
      </button>
    )}
  </fieldset>
);
