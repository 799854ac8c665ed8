import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { IconButton } from "../parts/icon-button.tsx";
import type { App } from "./app.ts";

export interface HeadTitleProps {
  readonly app: App;
  readonly isPhone: boolean;
  readonly title: string;
  /** Said once on a screen. */
  readonly isSimulated: boolean;
}

/** What is open, and on a phone the way to all the others. */
export function HeadTitle({ app, isPhone, title, isSimulated }: HeadTitleProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} · mull`;
  }, [title]);
  return (
    <>
      {isPhone ? (
        <IconButton
          label="Conversations"
          icon="list"
          onClick={() => app.setLayer({ kind: "list" })}
        />
      ) : null}
      <div class="title">
        <h1 dir="auto" title={title}>
          {title}
        </h1>
        {isSimulated ? (
          <span class="badge" title="No API key is set: the built-in emulator answers by rule.">
            simulated
          </span>
        ) : null}
      </div>
    </>
  );
}
