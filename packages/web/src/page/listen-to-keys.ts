import type { AsOf } from "../api.ts";
import { copyText } from "../parts/copy-text.ts";
import { textOf } from "../thread/read-turn.ts";
import type { App } from "./app.ts";
import { findPageAction, findThreadAction, type PageAction, type ThreadAction } from "./keys.ts";

/** Listens for the keys of `keys.ts`. Returns what stops it. */
export function listenToKeys(app: App, page: Document): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || app.box.get().phase !== "ready") return;
    if (event.key === "Escape" && isSearching(event.target)) return;
    const action = findPageAction(event, isField(event.target));
    const done =
      action === undefined
        ? isInThread(event.target) && actOnThread(app, page, findThreadAction(event))
        : actOnPage(app, page, action);
    if (done) event.preventDefault();
  };
  page.addEventListener("keydown", onKey);
  return () => page.removeEventListener("keydown", onKey);
}

const copyAndTell = async (app: App, text: string): Promise<void> =>
  app.tell((await copyText(text)) ? "Copied." : "The browser didn't allow copying.");

/** The request for an answer; for the next one if a question has none yet. */
function asOfAnswer(message: HTMLElement | undefined): AsOf | undefined {
  const next = message?.nextElementSibling;
  const answer = [message, next].find((each) => each?.classList.contains("answer"));
  const answerId = answer?.id.slice("m-".length);
  return answerId === undefined ? undefined : { answerId, step: 1 };
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("textarea, input, select") !== null;

/** There Escape empties the field, and what is being answered goes on. */
const isSearching = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === "search" && target.value !== "";

/** A key typed into a field is a letter; in the thread it is a command. */
const isInThread = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("#thread") !== null && !isField(target);

function actOnPage(app: App, page: Document, action: PageAction): boolean {
  const { layer, thread } = app.box.get();
  switch (action) {
    case "search":
      if (page.querySelector("#search") === null) app.setLayer({ kind: "list" });
      // Selects the last search, so that typing replaces it.
      queueMicrotask(() => page.querySelector<HTMLInputElement>("#search")?.select());
      return true;
    case "new":
      app.startNew();
      page.querySelector<HTMLElement>("#composer")?.focus();
      return true;
    case "models":
    case "help":
      app.setLayer({ kind: action });
      return true;
    case "escape":
      if (page.querySelector("dialog[open]") !== null) return false;
      if (thread.running !== undefined) void app.thread.stop();
      else if (layer !== undefined) app.setLayer(undefined);
      else return false;
      return true;
    default:
      return action satisfies never;
  }
}

function actOnThread(app: App, page: Document, action: ThreadAction | undefined): boolean {
  if (action === undefined) return false;
  const all = [...page.querySelectorAll<HTMLElement>("#thread [data-message]")];
  const current = page.activeElement?.closest<HTMLElement>("[data-message]") ?? undefined;
  const at = current === undefined ? -1 : all.indexOf(current);
  const here = current ?? all.at(-1);
  const id = here?.dataset["message"];
  switch (action) {
    case "next":
      (all[at + 1] ?? all.at(-1))?.focus();
      return true;
    case "before":
      (at <= 0 ? all[Math.max(0, at === -1 ? all.length - 1 : 0)] : all[at - 1])?.focus();
      return true;
    case "thinking":
      for (const summary of here?.querySelectorAll<HTMLElement>(".work > details > summary") ?? [])
        summary.click();
      return true;
    case "receipt":
      if (id !== undefined && here?.classList.contains("answer")) {
        app.showReceipt(id);
      }
      return true;
    case "inspector":
      app.setLayer({ kind: "inspector", asOf: asOfAnswer(here) });
      return true;
    case "copy": {
      const message = app.box.get().thread.messages.find((each) => each.id === id);
      if (message !== undefined) void copyAndTell(app, textOf(message));
      return true;
    }
    default:
      return action satisfies never;
  }
}
