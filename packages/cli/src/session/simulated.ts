import { emulate, type Emulator } from "@mull/emulator";

/** The same for every run, so that a conversation taken up again still opens its own seals. */
const secret = "mull, simulated";

/** The emulator that answers when no API key is set. */
export const simulate = (faults: string = ""): Emulator => emulate({ secret, faults });
