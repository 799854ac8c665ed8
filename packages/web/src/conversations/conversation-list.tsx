import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Conversation } from "../api.ts";
import { Icon } from "../parts/icon.tsx";
import type { ListState } from "../state/app-state.ts";
import { groupByDay } from "./group-by-day.ts";

export interface ConversationListProps {
  readonly list: ListState;
  readonly openId: string | undefined;
  readonly now: number;
  readonly onSearch: (text: string, everything: boolean) => void;
  readonly onRename: (id: string, title: string) => void;
  readonly onRemove: (conversation: Conversation) => void;
  /** A conversation was chosen; on a phone the list goes away then. */
  readonly onOpen: () => void;
  readonly exportAddress: (id: string, format: "json" | "markdown") => string;
}

export function ConversationList(props: ConversationListProps): JSX.Element {
  const { list, now, onSearch } = props;
  const groups = groupByDay(list.conversations, now);
  return (
    <>
      <div class="search">
        <input
          id="search"
          type="search"
          aria-label="Search conversations"
          placeholder="Search"
          value={list.search}
          onInput={({ currentTarget }) => onSearch(currentTarget.value, list.everything)}
        />
        {list.search === "" ? null : (
          <label class="everything">
            <input
              type="checkbox"
              checked={list.everything}
              onChange={({ currentTarget }) => onSearch(list.search, currentTarget.checked)}
            />{" "}
            thinking and tools too
          </label>
        )}
      </div>
      <nav class="conversations" aria-label="Conversations">
        {list.isLoaded ? null : <Skeleton />}
        {groups.map((group) => (
          <section key={group.name}>
            <h2>{group.name}</h2>
            <ul>
              {group.conversations.map((each) => (
                <Row key={each.id} conversation={each} {...props} />
              ))}
            </ul>
          </section>
        ))}
        {list.isLoaded && groups.length === 0 ? (
          <p class="nothing">{list.search === "" ? "No conversations yet." : "Nothing found."}</p>
        ) : null}
      </nav>
    </>
  );
}

const Skeleton = (): JSX.Element => (
  <div class="skeleton" role="status" aria-label="Loading conversations">
    <span />
    <span />
    <span />
  </div>
);

interface RowProps extends ConversationListProps {
  readonly conversation: Conversation;
}

function Row({
  conversation,
  openId,
  onRename,
  onRemove,
  onOpen,
  exportAddress,
}: RowProps): JSX.Element {
  const [isRenaming, setRenaming] = useState(false);
  const { id, title } = conversation;
  const shown = title || "Untitled";
  if (isRenaming) {
    const done = (text: string): void => {
      setRenaming(false);
      if (text.trim() !== "" && text !== title) onRename(id, text.trim());
    };
    return (
      <li class="row">
        <RenameField title={title} onDone={done} onCancel={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li class="row">
      <a
        href={`#/c/${id}`}
        class="open"
        dir="auto"
        title={shown}
        aria-current={id === openId ? "page" : undefined}
        onClick={onOpen}
        onKeyDown={(event) => {
          if (event.key !== "F2") return;
          event.preventDefault();
          setRenaming(true);
        }}
      >
        {shown}
      </a>
      <details class="menu" onBlur={closeWhenLeft} onToggle={showWhole}>
        <summary aria-label={`More about ${shown}`} title="More">
          <Icon name="menu" />
        </summary>
        <div class="items">
          <button type="button" onClick={() => setRenaming(true)}>
            Rename
          </button>
          <a href={exportAddress(id, "markdown")} download>
            Export Markdown
          </a>
          <a href={exportAddress(id, "json")} download>
            Export JSON
          </a>
          <button type="button" class="danger" onClick={() => onRemove(conversation)}>
            Delete
          </button>
        </div>
      </details>
    </li>
  );
}

/** The list scrolls, and its last rows have no room below them. */
function showWhole({ currentTarget }: JSX.TargetedEvent<HTMLDetailsElement>): void {
  if (currentTarget.open) currentTarget.lastElementChild?.scrollIntoView({ block: "nearest" });
}

function closeWhenLeft(event: JSX.TargetedFocusEvent<HTMLDetailsElement>): void {
  const next = event.relatedTarget;
  if (!(next instanceof Node && event.currentTarget.contains(next)))
    event.currentTarget.open = false;
}

interface RenameFieldProps {
  readonly title: string;
  readonly onDone: (text: string) => void;
  readonly onCancel: () => void;
}

function RenameField({ title, onDone, onCancel }: RenameFieldProps): JSX.Element {
  return (
    <input
      class="rename"
      aria-label="New title"
      defaultValue={title}
      maxLength={300}
      autoFocus
      onKeyDown={(event) => {
        if (event.key === "Enter") onDone(event.currentTarget.value);
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onCancel();
      }}
      onBlur={({ currentTarget }) => onDone(currentTarget.value)}
    />
  );
}
