import { emulate, type Emulator } from "@mull/emulator";

/** The same for every run, so that a conversation taken up again still opens its own seals. */
const secret = "mull, simulated";

export interface Simulation {
  /** How fast it writes, as faults of the emulator. */
  readonly pace?: string | undefined;
  /** Says under every answer that it is simulated; leave it out if the screen does. */
  readonly note?: boolean | undefined;
}

/** The emulator that answers when no API key is set. */
export const simulate = ({ pace = "", note = true }: Simulation = {}): Emulator =>
  emulate({ secret, faults: pace, note });
