import { levels, parseLevel, type Level } from "mull";
import type { UIMessage } from "@mull/ui-messages";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AsOf, Choice } from "../api.ts";
import type { OfferedModel } from "../dial/list-models.ts";
import { shortName } from "../dial/list-models.ts";
import { formatTokens } from "../format.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { asCurl, asTest } from "../receipt/copy-forms.ts";
import {
  explainRequest,
  keyOf,
  listRequests,
  type ListedRequest,
  type UnseenDraft,
} from "./list-requests.ts";
import { describeLint, listHistory, type Inspection } from "./read-inspection.ts";
import "../style/inspector.css";

export interface InspectorProps {
  readonly offered: readonly OfferedModel[];
  /** The model and level of the next message. */
  readonly choice: Choice;
  readonly messages: readonly UIMessage[];
  readonly asOf: AsOf | undefined;
  /** Asks the server; rejects with words for people. */
  readonly inspect: (choice: Choice, asOf: AsOf | undefined) => Promise<Inspection>;
  /** For the next message, or to answer again if the request is an earlier one. */
  readonly onUse: (choice: Choice, asOf: AsOf | undefined) => void;
  /** Given if more is written than is shown. */
  readonly unseen: UnseenDraft;
  readonly isRunning: boolean;
  readonly onClose: () => void;
}

/** What would be sent, next or in place of an earlier request, to any model at any level. Nothing is sent. */
export function Inspector(props: InspectorProps): JSX.Element {
  const { offered, messages, onUse, onClose } = props;
  const requests = useMemo(() => listRequests(messages, offered), [messages, offered]);
  const find = (key: string): ListedRequest =>
    requests.find(({ asOf }) => keyOf(asOf) === key) ?? requests[0]!;
  const [request, setRequest] = useState(() => find(keyOf(props.asOf)));
  const [choice, setChoice] = useState(request.choice ?? props.choice);
  const { inspection, trouble, shown } = useInspection(props.inspect, choice, request);
  return (
    <Dialog title="What would be sent" class="inspector" onClose={onClose}>
      <div class="choices">
        <Chooser
          label="As of"
          chosen={keyOf(request.asOf)}
          options={requests.map(({ asOf, name }) => [keyOf(asOf), name])}
          onChoose={(key) => {
            const next = find(key);
            setRequest(next);
            setChoice(next.choice ?? props.choice);
          }}
        />
        <Chooser
          label="Model"
          chosen={choice.model}
          options={offered.map(({ ref }) => [ref, shortName(ref)])}
          onChoose={(model) => setChoice({ ...choice, model })}
        />
        <Chooser
          label="Level"
          chosen={choice.level}
          options={levels.map((level: Level) => [level, level])}
          onChoose={(level) => setChoice({ ...choice, level: parseLevel(level) })}
        />
        {inspection === undefined ? null : <Copies inspection={inspection} />}
      </div>
      {trouble === undefined ? null : <p role="alert">{trouble}</p>}
      {inspection === undefined || shown === undefined ? null : (
        <>
          <ul class="explained">
            {explainRequest(shown, inspection, props.unseen).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <Columns inspection={inspection} />
        </>
      )}
      {props.isRunning ? null : (
        <footer>
          <button type="button" class="main" onClick={() => onUse(choice, request.asOf)}>
            {request.asOf === undefined ? "Use for the next message" : "Answer again with this"}
          </button>
        </footer>
      )}
    </Dialog>
  );
}

interface ChooserProps {
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

const Chooser = ({ label, chosen, options, onChoose }: ChooserProps): JSX.Element => (
  <label>
    {label}{" "}
    <select value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

function Copies({ inspection }: { readonly inspection: Inspection }): JSX.Element {
  const shown = { ...inspection, wire: inspection.plan.wire };
  return (
    <span class="copies">
      <CopyButton text={() => asCurl(shown)} label="Copy as curl" caption="curl" />
      <CopyButton text={() => asTest(shown)} label="Copy as test" caption="test" />
    </span>
  );
}

interface Inspected {
  readonly shown?: ListedRequest;
  readonly inspection?: Inspection;
  readonly trouble?: string;
}

/** What is shown stays until the next one is there, so that nothing jumps. */
function useInspection(
  inspect: InspectorProps["inspect"],
  choice: Choice,
  request: ListedRequest,
): Inspected {
  const [found, setFound] = useState<Inspected>({});
  useEffect(() => {
    let isGone = false;
    const show = (next: Inspected): void => {
      if (!isGone) setFound(next);
    };
    inspect(choice, request.asOf).then(
      (inspection) => show({ inspection, shown: request }),
      (error: unknown) =>
        show({ trouble: error instanceof Error ? error.message : "It cannot be shown." }),
    );
    return () => {
      isGone = true;
    };
  }, [choice.model, choice.level, request]);
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
                <td dir="auto">
                  {row.text}
                  {row.detail === undefined ? null : <span class="why">{row.detail}</span>}
                </td>
                <td>{fates[row.fate]}</td>
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
        <p>about {formatTokens(tokens)} in, estimated</p>
      </section>
    </div>
  );
}
