import { render } from "preact";
import { createApi } from "./create-api.ts";
import { createApp, type App } from "./page/app.ts";
import { Page } from "./page/page.tsx";
import { openFileShelf } from "./state/file-shelf.ts";
import { openStorage } from "./state/open-storage.ts";

const app: App = createApp({
  api: createApi((url, init) => fetch(url, init), {
    onPage: (tag) => app.seePage(tag),
    onClosed: () => app.seeClosed(),
    onSignedOut: () => app.seeSignedOut(),
  }),
  storage: openStorage(() => localStorage),
  shelf: openFileShelf(() => indexedDB),
  location,
  root: document.documentElement,
  now: Date.now,
  // `randomUUID` is there only on pages that came over TLS or from this machine.
  newKey: () => crypto.getRandomValues(new Uint32Array(4)).join("-"),
});

const root = document.querySelector("#app");
if (root !== null) render(<Page app={app} />, root);
addEventListener("hashchange", () => void app.goToAddress());
addEventListener("storage", ({ key, newValue }) => app.seeStorage(key, newValue));
addEventListener("beforeunload", (event) => {
  if (app.wouldLose()) event.preventDefault();
});
addEventListener("pagehide", () => void app.list.leave());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") app.lookAgain();
});
// Sends what could not be sent before, and shows what happened meanwhile.
addEventListener("online", () => app.lookAgain());
void app.start();
