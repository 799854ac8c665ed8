/** Where the focus was, with enough detail to find it again after a redraw. */
interface FocusPlace {
  readonly element: Element;
  readonly label: string | null;
  /** Which message of the thread, counted from the first; -1 outside of it. */
  readonly message: number;
}

const messagesIn = (page: Document): readonly HTMLElement[] => [
  ...page.querySelectorAll<HTMLElement>("#thread [data-message]"),
];

/**
 * A focused element that is taken away leaves the keyboard nowhere, at the top of the page. Then the
 * focus goes to the same control in the same message, or to where people write. It is never taken
 * from an element that is still there. Returns what stops it.
 */
export function keepFocus(page: Document, isTouch: () => boolean): () => void {
  let place: FocusPlace | undefined;
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const message = target.closest<HTMLElement>("[data-message]");
    place = {
      element: target,
      label: target.getAttribute("aria-label"),
      message: message === null ? -1 : messagesIn(page).indexOf(message),
    };
  };
  const look = (): void => {
    const isNowhere = page.activeElement === null || page.activeElement === page.body;
    if (!isNowhere || place?.element.isConnected) return;
    if (page.querySelector("dialog[open]") !== null) return;
    (findAgain(page, place) ?? findHome(page, isTouch()))?.focus();
  };
  const observer = new MutationObserver(look);
  observer.observe(page.body, { childList: true, subtree: true });
  page.addEventListener("focusin", remember);
  look();
  return () => {
    observer.disconnect();
    page.removeEventListener("focusin", remember);
  };
}

function findAgain(page: Document, place: FocusPlace | undefined): HTMLElement | undefined {
  if (place === undefined || place.message === -1 || place.label === null) return undefined;
  const message = messagesIn(page)[place.message];
  const same = [...(message?.querySelectorAll<HTMLButtonElement>("button") ?? [])].find(
    (button) => button.getAttribute("aria-label") === place.label && !button.disabled,
  );
  return same ?? message;
}

/** On a touch screen the text field would bring up the keyboard over half of the page. */
const findHome = (page: Document, isTouch: boolean): HTMLElement | null =>
  page.querySelector<HTMLElement>(isTouch ? "#thread" : "#composer") ??
  page.querySelector<HTMLElement>(".sign-in input");
