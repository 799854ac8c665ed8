export { isMullError, MullError } from "./types/error.ts";
