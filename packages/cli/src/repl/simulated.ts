import type { Backend } from "../session/backend.ts";

/** As fast as a quick model writes, so that a chat without a key looks like one with. */
const pace = "latency=300; pace=16";
/** The same for every run, so that a conversation taken up again still opens its own seals. */
const secret = "mull chat";

/** The emulator as a chat wants it. */
export async function simulatedOptions(): Promise<Backend["options"]> {
  const { emulate } = await import("@mull/emulator");
  return { fetch: emulate({ faults: pace, secret }), apiKey: "emulated" };
}
