/** The dial, spelled out here so that help needs no library. A test holds it to the library's list. */
export const levels: readonly string[] = ["auto", "none", "min", "low", "med", "high", "max"];
