import { hash, timingSafeEqual } from "node:crypto";
import type { Account, Store } from "@mull/store";
import { isMullError, MullError } from "mull";
import { isDirect, type Arrival } from "../http/direct.ts";
import type { ChatServerParts } from "../parts.ts";
import type { Accounts, SignInPlace, OpenedHere } from "./accounts.ts";
import type { Found, Opened } from "./auth.ts";

/**
 * Who uses the server. `one`: a person without an account, who comes in by the link. `claim`: that
 * person's conversations wait for the first account. `account`: everyone signs in.
 */
export type Use = "one" | "claim" | "accounts";

/** The one person on a server without accounts, and how their data passes to the first account. */
export interface Owner {
  readonly use: () => Promise<Use>;
  /** Whether their session counts for this request. Sessions of accounts always do. */
  readonly admits: (found: Found, arrival: Arrival) => Promise<boolean>;
  /** Opens their session. The link works once. */
  readonly enter: (link: string, arrival: Arrival) => Promise<Opened>;
  /** Creates the first account with the link. */
  readonly claimByLink: (link: string, called: Called, from: SignInPlace) => Promise<OpenedHere>;
  /** Turns their session into the first account. */
  readonly claim: (userId: string, called: Called, from: SignInPlace) => Promise<OpenedHere>;
  /** Whether they may change the server's own keys from here. */
  readonly runsServer: (userId: string, arrival: Arrival) => boolean;
}

interface Called {
  readonly name: string;
  readonly password: string;
}

interface OwnerParts {
  readonly store: () => Promise<Store>;
  readonly accounts: Accounts;
  readonly entrance: ChatServerParts["entrance"];
}

/** Their account has this id from the start, so their data already belongs to it. */
const ownerId = "owner";
const ownerName = "you";

export function createOwner({ store, accounts, entrance }: OwnerParts): Owner {
  const isForOne = entrance?.isForOne === true;
  let isSpent = false;
  let hasAccounts = false;

  const use = async (): Promise<Use> => {
    // Passwords are never removed, so once there is one, there is no need to ask again.
    if (hasAccounts) return "accounts";
    const now = await useOf(await store(), isForOne);
    hasAccounts = now === "accounts";
    return now;
  };
  /** Take the link before the first `await`: of two requests at once, only one gets in. */
  const withLink = async <T>(link: string, work: () => Promise<T>): Promise<T> => {
    if (entrance === undefined || isSpent || !isSame(link, entrance.link)) throw wrongLink();
    isSpent = true;
    try {
      return await work();
    } catch (error) {
      isSpent = false;
      throw error;
    }
  };

  const claim: Owner["claim"] = async (userId, { name, password }, from) => {
    if (userId !== ownerId || (await use()) === "accounts") throw notYours();
    const claimed = await accounts.claim(ownerId, name, password, from);
    hasAccounts = true;
    return claimed;
  };

  return {
    use,
    admits: async ({ userId }, arrival) =>
      userId !== ownerId || (await use()) === "accounts" || (isForOne && isDirect(arrival)),
    enter: (link, arrival) =>
      withLink(link, async () => {
        const now = await use();
        if (now === "claim") throw nameNeeded();
        if (now === "accounts") throw wrongLink();
        if (!isDirect(arrival)) throw notDirect();
        const kept = await store();
        if ((await findOwner(kept)) === undefined) {
          await kept.createAccount({ userId: ownerId, name: ownerName, passwordHash: "" });
        }
        return accounts.open(ownerId);
      }),
    claim,
    claimByLink: (link, called, from) => withLink(link, () => claim(ownerId, called, from)),
    runsServer: (userId, arrival) => isForOne && userId === ownerId && isDirect(arrival),
  };
}

/**
 * Who uses a server with this store. `isForOne`: its settings let one person in without an account.
 */
export async function useOf(
  store: Pick<Store, "getAccount" | "countAccounts">,
  isForOne: boolean,
): Promise<Use> {
  const found = await findOwner(store);
  if (found !== undefined && found.passwordHash === "") return isForOne ? "one" : "claim";
  if (found !== undefined || !isForOne) return "accounts";
  return (await store.countAccounts()) === 0 ? "one" : "accounts";
}

const findOwner = (store: Pick<Store, "getAccount">): Promise<Account | undefined> =>
  store.getAccount(ownerId).catch(ifMissing);

const ifMissing = (error: unknown): undefined => {
  if (isMullError(error) && error.code === "not_found") return undefined;
  throw error;
};

/** Hashes have equal length, so comparing them reveals nothing about the link. */
const isSame = (given: string, link: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", link, "buffer"));

const wrongLink = (): MullError =>
  new MullError("This link was used before, or is not the latest one.", {
    category: "auth",
    status: 401,
    code: "wrong_link",
    fix: "Restart mull in its terminal, and open the link that it prints.",
  });

const nameNeeded = (): MullError =>
  new MullError("Choose a name and a password: this link makes the first account.", {
    category: "invalid_argument",
    status: 409,
    code: "name_needed",
  });

const notDirect = (): MullError =>
  new MullError("This link works only on the machine that mull runs on.", {
    category: "permission",
    status: 403,
    code: "not_direct",
    fix: "Set MULL_HOSTS to serve others; they then make accounts.",
  });

const notYours = (): MullError =>
  new MullError("This session has an account already.", {
    category: "permission",
    status: 403,
    code: "has_account",
  });
