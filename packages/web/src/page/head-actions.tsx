import type { JSX } from "preact";
import { modelOf } from "../dial/list-models.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { useBox } from "../state/box.ts";
import { ContextButton } from "../usage/context-button.tsx";
import { countContext } from "../usage/count-context.ts";
import type { App } from "./app.ts";
import { besideQuery, useMedia } from "./side-panel.tsx";

export interface HeadActionsProps {
  readonly app: App;
  readonly isPhone: boolean;
}

/** Actions for the open conversation, in a menu if its title would have no room. */
export function HeadActions({ app, isPhone }: HeadActionsProps): JSX.Element {
  const conversation = useBox(app.box, (state) => state.thread.conversation);
  const isReadOnly = useBox(app.box, (state) => state.thread.isReadOnly);
  const used = useBox(app.box, (state) => countContext(state.thread.messages));
  const model = useBox(app.box, (state) => state.choice.model);
  const isNarrow = useMedia(besideQuery);
  const prompt = conversation?.system;
  const promptLabel = prompt === undefined ? "System prompt" : "System prompt, one is set";
  const first = (
    <>
      {isReadOnly ? null : (
        <button
          type="button"
          class={isNarrow ? undefined : prompt === undefined ? "icon" : "icon chosen"}
          aria-label={promptLabel}
          title={prompt ?? "System prompt"}
          onClick={() => app.setLayer({ kind: "system" })}
        >
          {isNarrow ? promptLabel : <Icon name="system" />}
        </button>
      )}
      <button
        type="button"
        title="Ask several models"
        onClick={() => app.setLayer({ kind: "compare" })}
      >
        Compare
      </button>
    </>
  );
  const usage = (
    <ContextButton
      used={used}
      window={modelOf(model).window}
      onOpen={() => app.setLayer({ kind: "usage" })}
    />
  );
  const last = (
    <button
      type="button"
      title="What would be sent"
      disabled={conversation === undefined}
      onClick={() => app.setLayer({ kind: "inspector", asOf: undefined })}
    >
      Inspect
    </button>
  );
  return isNarrow ? (
    <>
      {isPhone ? null : usage}
      <Menu label="More about this conversation">
        {first}
        {isPhone ? usage : null}
        {last}
      </Menu>
    </>
  ) : (
    <>
      {first}
      {usage}
      {last}
    </>
  );
}
