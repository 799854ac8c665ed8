import { levels, parseLevel, type Level } from "mull";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OfferedModel } from "../dial/list-models.ts";
import { shortName } from "../dial/list-models.ts";
import { formatCount } from "../format.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { asCurl, asTest } from "../receipt/copy-forms.ts";
import { describeLint, listHistory, type Inspection } from "./read-inspection.ts";

export interface InspectorProps {
  readonly offered: readonly OfferedModel[];
  readonly model: string;
  readonly level: Level;
  /** Asks the server; rejects with words for people. */
  readonly inspect: (model: string, level: Level) => Promise<Inspection>;
  readonly onForkAndSend: ((model: string, level: Level) => void) | undefined;
  readonly onClose: () => void;
}

/** What would be sent to any model at any level. Nothing is sent. */
export function Inspector(props: InspectorProps): JSX.Element {
  const { offered, onClose, onForkAndSend } = props;
  const [model, setModel] = useState(props.model);
  const [level, setLevel] = useState(props.level);
  const { inspection, trouble } = useInspection(props.inspect, model, level);
  const shown = inspection && { ...inspection, wire: inspection.plan.wire };
  return (
    <Dialog title="What would be sent" class="inspector" onClose={onClose}>
      <div class="choices">
        <label>
          Model{" "}
          <select value={model} onChange={({ currentTarget }) => setModel(currentTarget.value)}>
            {offered.map(({ ref }) => (
              <option key={ref} value={ref}>
                {shortName(ref)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Level{" "}
          <select
            value={level}
            onChange={({ currentTarget }) => setLevel(parseLevel(currentTarget.value))}
          >
            {levels.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        {shown === undefined ? null : (
          <>
            <CopyButton text={() => asCurl(shown)} label="Copy as curl" caption="curl" />
            <CopyButton text={() => asTest(shown)} label="Copy as test" caption="test" />
          </>
        )}
      </div>
      {trouble === undefined ? null : <p role="alert">{trouble}</p>}
      {inspection === undefined ? null : <Columns inspection={inspection} />}
      {onForkAndSend === undefined ? null : (
        <footer>
          <button type="button" class="main" onClick={() => onForkAndSend(model, level)}>
            Fork and answer again with this
          </button>
        </footer>
      )}
    </Dialog>
  );
}

function useInspection(
  inspect: InspectorProps["inspect"],
  model: string,
  level: Level,
): { readonly inspection?: Inspection; readonly trouble?: string } {
  const [found, setFound] = useState<{
    readonly inspection?: Inspection;
    readonly trouble?: string;
  }>({});
  useEffect(() => {
    let isGone = false;
    inspect(model, level).then(
      (inspection) => (isGone ? undefined : setFound({ inspection })),
      (error: unknown) =>
        isGone
          ? undefined
          : setFound({ trouble: error instanceof Error ? error.message : "It cannot be shown." }),
    );
    return () => {
      isGone = true;
    };
  }, [model, level]);
  return found;
}

const fates = { same: "=", changed: "changed", withheld: "withheld" } as const;

function Columns({ inspection }: { readonly inspection: Inspection }): JSX.Element {
  const { body, path, lint, predicted, tokens, words } = inspection;
  return (
    <div class="columns">
      <section aria-label="History">
        <h3>History, part by part</h3>
        <table>
          <thead class="spoken-head">
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Part</th>
              <th scope="col">Sent</th>
            </tr>
          </thead>
          <tbody>
            {listHistory(inspection).map((row, index) => (
              <tr key={index} class={row.fate}>
                <td>{row.kind}</td>
                <td dir="auto">{row.text}</td>
                <td title={row.detail}>{fates[row.fate]}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Lint: {describeLint(lint)} · Predicted: {predicted}
        </p>
        {lint.findings.map((finding, index) => (
          <p key={index} class={finding.severity}>
            <code>{finding.rule}</code> {finding.message}
            {finding.fix === undefined ? "" : ` Fix: ${finding.fix}`}
          </p>
        ))}
        <pre class="words">{words.join("\n")}</pre>
      </section>
      <section aria-label="Request">
        <h3>
          Request body <small>POST {path}</small>
        </h3>
        <pre tabIndex={0}>{JSON.stringify(body, undefined, 2)}</pre>
        <p>about {formatCount(tokens)} tokens in</p>
      </section>
    </div>
  );
}
