import type { Store } from "@mull/store";
import { findKey, providers, type Environment, type Fetch, type Provider } from "mull";
import { randomText } from "../accounts/library.ts";
import type { ChatServerParts, Upstream } from "../parts.ts";
import { openKey, sealKey } from "./seal-key.ts";

type Upstreams = ChatServerParts["upstream"];

/** Keys that users enter themselves. */
export interface UserKeys {
  readonly isOn: boolean;
  /** Whether a user's own key may go to this provider. */
  readonly takes: (provider: Provider) => boolean;
  /** Providers for which the user has a key that opens. */
  readonly list: (userId: string) => Promise<readonly Provider[]>;
  readonly store: (userId: string, provider: Provider, key: string) => Promise<void>;
  readonly remove: (userId: string, provider: Provider) => Promise<boolean>;
  /** How to reach providers for this user; `undefined` if they have no key. */
  readonly upstreamFor: (userId: string) => Promise<Upstreams | undefined>;
}

interface UserKeyParts {
  readonly store: () => Promise<Store>;
  readonly secret: string | undefined;
  readonly upstream: Upstreams;
  /** Absent: users can't enter keys, and stored ones aren't used. */
  readonly userKeys: ChatServerParts["userKeys"];
}

export function createUserKeys({ store, secret, upstream, userKeys }: UserKeyParts): UserKeys {
  const isOn = userKeys !== undefined;
  const secretOf = async (opened: Store): Promise<string> =>
    secret ?? opened.keepSecret("session", randomText());
  const takes = (provider: Provider): boolean => isOn && isDirect(provider, upstream);

  const open = async (userId: string): Promise<Environment> => {
    if (!isOn) return {};
    const opened = await store();
    const rows = await opened.listUserKeys(userId);
    if (rows.length === 0) return {};
    const key = await secretOf(opened);
    return Object.fromEntries(
      rows.flatMap(({ provider: id, sealed }) => {
        const provider = providers.find((each) => each.id === id);
        const plain = openKey(key, { userId, provider: id }, sealed);
        if (provider === undefined || plain === undefined || !takes(provider)) return [];
        return [[provider.keyVariables[0]!, plain]];
      }),
    );
  };

  return {
    isOn,
    takes,
    async list(userId) {
      const own = await open(userId);
      return providers.filter((provider) => findKey(provider, own) !== undefined);
    },
    async store(userId, provider, key) {
      const opened = await store();
      const sealed = sealKey(await secretOf(opened), { userId, provider: provider.id }, key);
      await opened.storeUserKey(userId, { provider: provider.id, sealed });
    },
    remove: async (userId, provider) => (await store()).deleteUserKey(userId, provider.id),
    async upstreamFor(userId) {
      const own = await open(userId);
      if (Object.keys(own).length === 0) return undefined;
      return (provider) => withOwnKeys(provider, upstream(provider), own, userKeys?.fetch);
    },
  };
}

/**
 * A user's key goes to the provider's own address and nowhere else. So it isn't used if the server
 * sends that provider's requests elsewhere, or those of another provider that reads the same
 * variable.
 */
const isDirect = (provider: Provider, upstream: Upstreams): boolean =>
  provider.auth !== "none" &&
  providers
    .filter(({ keyVariables }) => keyVariables.some((name) => provider.keyVariables.includes(name)))
    .every((each) => !upstream(each).env[each.baseUrlVariable]);

/**
 * From the first key on, the emulator stops answering: a made-up answer would look like a real one.
 */
function withOwnKeys(
  provider: Provider,
  base: Upstream,
  own: Environment,
  fetch: Fetch | undefined,
): Upstream {
  const env = base.isSimulated ? own : { ...base.env, ...own };
  if (findKey(provider, own) !== undefined) {
    return { env, isSimulated: false, hasKey: true, ...(fetch !== undefined && { fetch }) };
  }
  // Without our `fetch`, the library refuses to ask without a key.
  if (base.isSimulated) return { env, isSimulated: false, hasKey: provider.auth === "none" };
  // The server's own connection isn't for users' keys: a turn may fall back to another provider on
  // it.
  return base.fetch === undefined ? { ...base, env } : base;
}
