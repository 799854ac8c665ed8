/** Cassettes: record real calls once, replay them without a network. */
export { play } from "./play.ts";
export { readCassette } from "./read-cassette.ts";
export { record } from "./record.ts";
export { refresh } from "./refresh.ts";
export { describeFindings, scanForSecrets } from "./scan.ts";
export { showCassette } from "./show.ts";
export { secretsInEnvironment, vcr } from "./vcr.ts";
export { isVcrError, VcrError } from "./error.ts";
export type {
  BodyEnd,
  Cassette,
  CassetteHeader,
  Exchange,
  RecordedDelivery,
  RecordedFailure,
  RecordedRequest,
  RecordedResponse,
} from "./cassette.ts";
export type { Difference, VcrErrorCode, VcrErrorFields } from "./error.ts";
export type { CassetteFetch, Fetch, FetchInput, LiveFetch, Mode } from "./fetch.ts";
export type { PlayOptions, Wait } from "./play.ts";
export type { RecordOptions } from "./record.ts";
export type { RedactOptions } from "./redact.ts";
export type { SecretFinding } from "./scan-file.ts";
export type { ScanOptions } from "./scan.ts";
export type { ShowOptions } from "./show.ts";
export type { VcrOptions } from "./vcr.ts";
