export { google } from "./providers/google.ts";
