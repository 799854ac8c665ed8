import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Conversation } from "../api.ts";
import { Menu } from "../parts/menu.tsx";
import type { ListState } from "../state/app-state.ts";
import { groupByDay, groupConversations } from "./group-by-day.ts";

export interface ConversationListProps {
  readonly list: ListState;
  readonly openId: string | undefined;
  readonly now: number;
  readonly pinned: readonly string[];
  readonly onPin: (id: string) => void;
  readonly onSearch: (text: string, everything: boolean) => void;
  readonly onMore: () => void;
  readonly onRename: (id: string, title: string) => void;
  readonly onRemove: (conversation: Conversation) => void;
  /** A conversation was chosen; on a phone the list goes away then. */
  readonly onOpen: () => void;
  readonly exportAddress: (id: string, format: "json" | "markdown") => string;
}

export function ConversationList(props: ConversationListProps): JSX.Element {
  const { list, now, onSearch } = props;
  // What is looked for is shown as it was found.
  const groups =
    list.search === ""
      ? groupConversations([...list.conversations, ...(list.pinnedOlder ?? [])], props.pinned, now)
      : groupByDay(list.conversations, now);
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
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            document.querySelector<HTMLElement>(".conversations a")?.focus();
          }}
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
        {list.hasMore ? (
          <button type="button" class="plain" onClick={props.onMore}>
            Older conversations
          </button>
        ) : null}
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
  pinned,
  onPin,
  onRename,
  onRemove,
  onOpen,
  exportAddress,
}: RowProps): JSX.Element {
  const [isRenaming, setRenaming] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const goBack = useRef(false);
  useLayoutEffect(() => {
    if (!isRenaming && goBack.current) link.current?.focus();
    goBack.current = false;
  }, [isRenaming]);
  const { id, title } = conversation;
  const shown = title || "Untitled";
  if (isRenaming) {
    const end = (text: string, byKey: boolean): void => {
      goBack.current = byKey;
      setRenaming(false);
      if (text.trim() !== "" && text !== title) onRename(id, text.trim());
    };
    return (
      <li class="row">
        <RenameField title={title} onEnd={end} />
      </li>
    );
  }
  return (
    <li class="row">
      <a
        ref={link}
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
      <Menu label={`More about ${shown}`}>
        <button type="button" onClick={() => onPin(id)}>
          {pinned.includes(id) ? "Unpin" : "Pin"}
        </button>
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
      </Menu>
    </li>
  );
}

interface RenameFieldProps {
  readonly title: string;
  /** `byKey`: the focus is still here and goes back where it came from. */
  readonly onEnd: (text: string, byKey: boolean) => void;
}

function RenameField({ title, onEnd }: RenameFieldProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => field.current?.select(), []);
  // A field that is taken away loses the focus as well: only the first end counts.
  const end = (text: string, byKey: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(text, byKey);
  };
  return (
    <input
      ref={field}
      class="rename"
      aria-label="New title"
      defaultValue={title}
      maxLength={300}
      onKeyDown={(event) => {
        if (event.key === "Enter") end(event.currentTarget.value, true);
        if (event.key !== "Escape") return;
        event.preventDefault();
        end(title, true);
      }}
      onBlur={({ currentTarget }) => end(currentTarget.value, false)}
    />
  );
}
