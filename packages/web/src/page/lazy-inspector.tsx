import type { JSX } from "preact";
import type { AsOf } from "../api.ts";
import { filesOf } from "../state/files.ts";
import type { App } from "./app.ts";
import { useLoaded } from "./use-loaded.ts";

/** The question travels in an address. */
const longestDraft = 1000;

export interface LazyInspectorProps {
  readonly app: App;
  readonly asOf: AsOf | undefined;
  readonly onClose: () => void;
}

/** Loaded when it is first opened. */
export function LazyInspector({ app, asOf, onClose }: LazyInspectorProps): JSX.Element | null {
  const Inspector = useLoaded(async () => (await import("../inspector/inspector.tsx")).Inspector);
  const { models, choice, thread, draft } = app.box.get();
  const nextQuestion = draft.trim().slice(0, longestDraft) || "(what you write next)";
  const conversationId = thread.conversation?.id;
  if (Inspector === undefined || conversationId === undefined) return null;
  return (
    <Inspector
      offered={models}
      choice={choice}
      messages={thread.messages}
      asOf={asOf}
      inspect={(chosen, at) => app.api.inspect(conversationId, chosen, at ?? nextQuestion)}
      onUse={(chosen, at) => {
        onClose();
        if (at === undefined) void app.thread.choose(chosen);
        else void app.thread.retry(at.answerId, chosen);
      }}
      unseen={{
        ...(draft.trim().length > longestDraft && { behind: longestDraft }),
        files: filesOf(app.box.get()).length,
      }}
      isRunning={thread.running !== undefined}
      onClose={onClose}
    />
  );
}
