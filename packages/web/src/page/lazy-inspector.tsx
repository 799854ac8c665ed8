import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { App } from "./app.ts";

type InspectorView = (typeof import("../inspector/inspector.tsx"))["Inspector"];

export interface LazyInspectorProps {
  readonly app: App;
  readonly messageId: string | undefined;
  readonly onClose: () => void;
}

/** Loaded when it is first opened. */
export function LazyInspector({ app, messageId, onClose }: LazyInspectorProps): JSX.Element | null {
  const [Inspector, setInspector] = useState<InspectorView>();
  useEffect(() => {
    void import("../inspector/inspector.tsx").then(({ Inspector: loaded }) =>
      setInspector(() => loaded),
    );
  }, []);
  const { models, choice, thread } = app.box.get();
  const conversationId = thread.conversation?.id;
  if (Inspector === undefined || conversationId === undefined) return null;
  const answer = thread.messages.findLast(({ role }) => role === "assistant");
  return (
    <Inspector
      offered={models}
      model={choice.model}
      level={choice.level}
      inspect={(model, level) => app.api.inspect(conversationId, { model, level }, messageId)}
      onForkAndSend={
        answer === undefined || thread.running !== undefined
          ? undefined
          : (model, level) => {
              onClose();
              void app.thread
                .choose({ model, level })
                .then(() => app.thread.retry(messageId ?? answer.id));
            }
      }
      onClose={onClose}
    />
  );
}
