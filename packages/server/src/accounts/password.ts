import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { createGate, type Gate } from "../limits/gate.ts";

/*
 * Replaces the account library's own functions. Both use the runtime's scrypt, but the library's
 * does a quarter of the work, runs without a limit, and can't read what is stored.
 */

/** The cost of one password hash: 2^log2N blocks of r·128 bytes. */
export interface PasswordCost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** What a hash costs: scrypt with N = 2^17, 128 MB. */
export const passwordCost: PasswordCost = { log2N: 17, r: 8, p: 1 };

/** Length of a new password in characters. */
export const passwordLength = { min: 8, max: 1000 } as const;

const keyLength = 32;

export interface Passwords {
  readonly hash: (password: string) => Promise<string>;
  readonly matches: (password: string, hash: string) => Promise<boolean>;
  /** Refuses if too many are waiting for a hash. */
  readonly check: () => void;
}

const derive = (password: string, salt: Buffer, { log2N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const N = 2 ** log2N;
    const options = { N, r, p, maxmem: 256 * N * r };
    scrypt(password.normalize("NFKC"), salt, keyLength, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });

/** At most two hashes at once, so that a flood of sign-ins takes two threads, not all of them. */
export function createPasswords(
  cost: PasswordCost = passwordCost,
  gate: Gate = createGate({ most: 2, waiting: 32 }),
): Passwords {
  const hash = async (password: string): Promise<string> => {
    const salt = randomBytes(16);
    const key = await gate.run(() => derive(password, salt, cost));
    const { log2N, r, p } = cost;
    return ["scrypt", log2N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
  };
  return {
    hash,
    check: gate.check,
    async matches(password, given) {
      // An account without a password accepts none, after the same work.
      if (given === "") {
        await hash(password);
        return false;
      }
      const [, log2N, r, p, salt = "", key = ""] = given.split("$");
      const work = { log2N: Number(log2N), r: Number(r), p: Number(p) };
      const expected = Buffer.from(key, "base64url");
      const actual = await gate.run(() => derive(password, Buffer.from(salt, "base64url"), work));
      return timingSafeEqual(actual, expected);
    },
  };
}
