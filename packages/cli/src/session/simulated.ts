import { emulate, type Emulator } from "@mull/emulator";

/** The same for every run, so that a conversation taken up again still opens its own seals. */
const secret = "mull, simulated";

/** The emulator that answers where there is no key. */
export const simulate = (faults: string = ""): Emulator => emulate({ secret, faults });
