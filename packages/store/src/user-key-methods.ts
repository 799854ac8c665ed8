/** A user's key for a provider, encrypted before it is stored. */
export interface SealedKey {
  readonly provider: string;
  readonly sealed: string;
}

/** The part of a store that keeps users' keys. It never sees a key in the clear. */
export interface UserKeyMethods {
  listUserKeys(userId: string): Promise<readonly SealedKey[]>;
  /** Replaces the previous key. Refuses with `not_found` if there is no such account. */
  storeUserKey(userId: string, key: SealedKey): Promise<void>;
  /** `false`: there was no key. */
  deleteUserKey(userId: string, provider: string): Promise<boolean>;
}
