import { randomBytes } from "node:crypto";
import type { Store } from "@mull/store";
import type { betterAuth, BetterAuthOptions } from "better-auth/minimal";
import { cookieName } from "../http/cookie.ts";
import type { AsyncContext } from "./async-context.ts";
import { passwordLength, type Passwords } from "./password.ts";
import { storeAdapter } from "./store-adapter.ts";

export interface LibraryParts {
  readonly store: Store;
  readonly passwords: Passwords;
  /** What cookies are signed with. */
  readonly secret: string;
  readonly isSecure: boolean;
  readonly now: () => number;
  /** Called with every refusal of the store. */
  readonly onFailure: (error: unknown) => void;
}

export interface Library {
  readonly api: ReturnType<typeof betterAuth<BetterAuthOptions>>["api"];
  /** The async context in which its calls pass values. */
  readonly contexts: readonly AsyncContext[];
}

const day = 24 * 60 * 60;
/**
 * Seconds: a session ends after this long without use, or after this long in any case, and is
 * renewed at most this often.
 */
const sessionLife = { idle: 14 * day, longest: 90 * day, renewal: 10 * 60 } as const;
export const renewalMs: number = sessionLife.renewal * 1000;
export const idleMs: number = sessionLife.idle * 1000;

export const randomText = (): string => randomBytes(32).toString("base64url");

/**
 * The library takes a quarter of a second to load, so the server starts without it and loads it
 * then.
 */
export const loadModules = (): Promise<
  [
    typeof import("better-auth/minimal"),
    typeof import("better-auth/adapters"),
    typeof import("@better-auth/core/context"),
  ]
> =>
  Promise.all([
    import("better-auth/minimal"),
    import("better-auth/adapters"),
    import("@better-auth/core/context"),
  ]);

/**
 * We call the library and serve none of its routes. So its rate limits, origins and redirects do
 * nothing, and ours apply.
 */
export async function openLibrary(parts: LibraryParts): Promise<Library> {
  const [{ betterAuth }, { createAdapterFactory }, context] = await loadModules();
  const database = storeAdapter(createAdapterFactory, {
    store: parts.store,
    now: parts.now,
    idleMs,
    longestMs: sessionLife.longest * 1000,
    onFailure: parts.onFailure,
  });
  return {
    api: betterAuth<BetterAuthOptions>({ ...optionsOf(parts), database }).api,
    contexts: await Promise.all([
      context.getCurrentAuthContextAsyncLocalStorage(),
      context.getCurrentDBAdapterAsyncLocalStorage(),
      context.getRequestStateAsyncLocalStorage(),
    ]),
  };
}

const optionsOf = ({ passwords, secret, isSecure }: LibraryParts): BetterAuthOptions => ({
  baseURL: "http://localhost",
  // A list overrides the library's environment variables.
  secrets: [{ version: 1, value: secret }],
  emailAndPassword: {
    enabled: true,
    minPasswordLength: passwordLength.min,
    maxPasswordLength: passwordLength.max,
    password: {
      hash: passwords.hash,
      verify: ({ password, hash }) => passwords.matches(password, hash),
    },
  },
  session: { expiresIn: sessionLife.idle, updateAge: sessionLife.renewal },
  // Its own tokens have 190 random bits; these have 256.
  databaseHooks: {
    session: { create: { before: async () => ({ data: { token: randomText() } }) } },
  },
  advanced: {
    // Its prefix would be `__Secure-`; our name has one already.
    useSecureCookies: false,
    cookies: {
      session_token: { name: cookieName(isSecure), attributes: { secure: isSecure } },
    },
    database: { joins: true, generateId: "uuid" },
    ipAddress: { disableIpTracking: true },
  },
  // It would log what people type.
  logger: { disabled: true },
  telemetry: { enabled: false },
});
