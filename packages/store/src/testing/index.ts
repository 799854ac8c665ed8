export { storeCases, storeConformance } from "./conformance.ts";
export type { OpenStore, StoreCase } from "./conformance.ts";
export { randomMessages, seededRandom, type Random } from "./random-messages.ts";
