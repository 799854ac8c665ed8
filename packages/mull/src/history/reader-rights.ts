import { invalidArgument } from "../types/error.ts";
import { isJsonObject } from "../types/json.ts";
import type { Origin, Seal, WireId } from "../types/message.ts";
import type { Model } from "../types/model.ts";

/** Who a history is compiled for. */
export interface Reader {
  readonly model: Model;
  readonly provider: string;
  readonly wire: WireId;
  readonly endpoint?: string | undefined;
  readonly account?: string | undefined;
  /** An emulator reads it, behind whatever address. */
  readonly simulated?: boolean | undefined;
  /** The row of a model that sealed something, for what its seals are bound to. */
  readonly modelOf: (id: string) => Model | undefined;
}

/** Why a reader may not have a seal, in words for the receipt; `undefined` when it may. */
export function whyUnreadable(seal: Seal, reader: Reader): string | undefined {
  if (!isJsonObject(seal?.origin) || !isJsonObject(reader?.model))
    throw invalidArgument("seal", seal, "the seal of a part, and who is to read it");
  return whyWithheldFrom(reader, seal);
}

/** The same for every seal of a long history, where nothing has to be checked. */
export function whyWithheldFrom(reader: Reader, seal: Seal): string | undefined {
  const { origin } = seal;
  if (seal.refused) return "the service refused it when it was sent last";
  const simulated = whySimulatedSealStays(reader, seal);
  if (simulated !== undefined) return simulated;
  if (origin.wire !== reader.wire) return `made on ${origin.wire}, not readable on ${reader.wire}`;
  const maker = reader.modelOf(origin.model);
  const rights = reader.model.seals;
  const made = maker?.row ?? maker?.id ?? origin.model;
  // The catalogue may know a host's model by another name than the host.
  const own = origin.model === reader.model.id || made === (reader.model.row ?? reader.model.id);
  if (!own && rights?.reads.some((pattern) => matches(pattern, made)) !== true) {
    return `${reader.model.id} does not read thinking of ${origin.model}`;
  }
  if (!travels(seal, reader, maker)) return `made at ${origin.provider}, bound to that endpoint`;
  if (maker?.seals?.accountBound && origin.account !== reader.account) {
    return `${origin.model} binds its thinking to the account that made it`;
  }
  return undefined;
}

/** Why a seal that an emulator made is kept from a service; `undefined` for other seals and readers. */
export const whySimulatedSealStays = (reader: Reader, { origin }: Seal): string | undefined =>
  origin.simulated && !isEmulated(reader, origin)
    ? "the emulator made it, and no service can open it"
    : undefined;

const loopback = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/;

/** In process an emulator answers under the service's own address; by itself it has one on this machine. */
const isEmulated = ({ simulated, endpoint = "" }: Reader, origin: Origin): boolean =>
  simulated === true || (origin.endpoint === endpoint && loopback.test(endpoint));

/**
 * Anthropic's seals are good on every host that serves the model. Elsewhere a seal belongs to the
 * provider that made it, and where the model says so, to the very endpoint.
 */
function travels(seal: Seal, reader: Reader, maker: Model | undefined): boolean {
  const { origin } = seal;
  if (maker?.seals?.endpointBound && origin.endpoint !== reader.endpoint) return false;
  return origin.provider === reader.provider || origin.wire === "anthropic-messages";
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
