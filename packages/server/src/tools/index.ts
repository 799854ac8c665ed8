/** The tools of the server and the chat, without the server. */
export { calculator } from "./calculator.ts";
export { offlineSearch, searchWeb, type SearchHit, type SearchProvider } from "./search-web.ts";
