/** Test cases that every store must pass, and what they need. */
export { storeCases, storeConformance } from "./conformance.ts";
export type { OpenStore, StoreCase } from "./conformance.ts";
export { freePort, startPostgres, type LocalPostgres } from "./local-postgres.ts";
export { seededRandom, type Random } from "./random-messages.ts";
export { holdConnection } from "./hold-connection.ts";
