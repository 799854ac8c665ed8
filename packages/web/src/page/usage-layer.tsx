import type { JSX } from "preact";
import { modelOf } from "../dial/list-models.ts";
import { useBox } from "../state/box.ts";
import { useSettled } from "../usage/use-settled.ts";
import type { App } from "./app.ts";
import { besideQuery, SidePanel } from "./side-panel.tsx";
import { useLoaded } from "./use-loaded.ts";

export interface UsageLayerProps {
  readonly app: App;
  readonly onClose: () => void;
}

const daysShown = 30;

/** Usage of the answers; loaded when it is first opened. */
export function UsageLayer({ app, onClose }: UsageLayerProps): JSX.Element | null {
  const UsagePanel = useLoaded(async () => (await import("../usage/usage-panel.tsx")).UsagePanel);
  const thread = useBox(app.box, (state) => state.thread);
  const messages = useSettled(thread.messages, thread.running !== undefined);
  const instructions = useBox(app.box, (state) => state.instructions);
  const model = useBox(app.box, (state) => state.choice.model);
  if (UsagePanel === undefined) return null;
  return (
    <SidePanel title="Usage" class="drawer" query={besideQuery} onClose={onClose}>
      <UsagePanel
        messages={messages}
        model={modelOf(model)}
        around={{ instructions, system: thread.conversation?.system }}
        loadSpending={() => {
          const now = new Date();
          const since = now.getTime() - daysShown * 24 * 60 * 60_000;
          return app.api.spending(since, -now.getTimezoneOffset());
        }}
        onGo={() => {
          if (matchMedia(besideQuery).matches) onClose();
        }}
      />
    </SidePanel>
  );
}
