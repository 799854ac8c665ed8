export type { Store } from "../store.ts";
export { createMemoryData, type MemoryData } from "./data.ts";
export { memoryStore, type MemoryStoreOptions } from "./memory-store.ts";
