/** Google as a provider and its wire. */
export { google } from "./providers/google.ts";
export { googleGenerate } from "./wire/google-generate/index.ts";
