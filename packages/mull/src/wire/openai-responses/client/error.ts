export { decodeError, decodeInBandError } from "../../common/openai-errors.ts";
