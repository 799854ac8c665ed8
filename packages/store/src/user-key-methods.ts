/** A user's key for a provider, encrypted before it is stored. */
export interface SealedKey {
  readonly provider: string;
  readonly sealed: string;
}

/** The part of a store that keeps users' keys. It never sees a key that it could use. */
export interface UserKeyMethods {
  listUserKeys(userId: string): Promise<readonly SealedKey[]>;
  /** Takes the place of the one before. Refuses with `not_found` without such an account. */
  storeUserKey(userId: string, key: SealedKey): Promise<void>;
  /** `false`: there was none. */
  deleteUserKey(userId: string, provider: string): Promise<boolean>;
}
