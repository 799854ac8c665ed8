import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { App } from "./app.ts";

type InspectorModule = typeof import("../inspector/inspector.tsx");

export interface LazyInspectorProps {
  readonly app: App;
  readonly messageId: string | undefined;
  readonly onClose: () => void;
}

/** Loaded when it is first opened. */
export function LazyInspector({ app, messageId, onClose }: LazyInspectorProps): JSX.Element | null {
  const [loaded, setLoaded] = useState<InspectorModule>();
  useEffect(() => {
    void import("../inspector/inspector.tsx").then((module) => setLoaded(module));
  }, []);
  const { models, choice, thread } = app.box.get();
  const conversationId = thread.conversation?.id;
  if (loaded === undefined || conversationId === undefined) return null;
  const answer = thread.messages.findLast(({ role }) => role === "assistant");
  return (
    <loaded.Inspector
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
