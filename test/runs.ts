/** How often a property is tried: a tenth of the full number, unless `MULL_FULL=1` asks for all. */
export const runs = (full: number): number =>
  process.env["MULL_FULL"] === "1" ? full : Math.ceil(full / 10);
