import { MullError } from "mull";

export const notSignedIn = (): MullError =>
  new MullError("Sign in first.", { category: "auth", status: 401, code: "signed_out" });

export const linkNeeded = (): MullError =>
  new MullError("Open the link that mull printed in its terminal.", {
    category: "auth",
    status: 401,
    code: "link_needed",
    fix: "It works once. Restart mull for another one.",
  });

export const noSuchPlace = (): MullError =>
  new MullError("There is nothing here.", { category: "not_found", status: 404 });

export const noSuch = (what: "conversation" | "message" | "turn"): MullError =>
  new MullError(`There is no such ${what}.`, {
    category: "not_found",
    status: 404,
    code: "not_found",
  });

export const wrongMethod = (allowed: readonly string[]): MullError =>
  new MullError("That cannot be done here.", {
    category: "invalid_argument",
    status: 405,
    code: "wrong_method",
    allowed,
  });

export const crossSite = (fix?: string): MullError =>
  new MullError("The request does not come from this site's own page.", {
    category: "permission",
    status: 403,
    code: "cross_site",
    ...(fix !== undefined && { fix }),
  });

export const foreignHost = (): MullError =>
  new MullError("This server does not answer for that host. Name it in MULL_HOSTS.", {
    category: "invalid_argument",
    status: 421,
    code: "foreign_host",
  });

export const tooMany = (what: string, retryAfterMs: number): MullError =>
  new MullError(`${what} Try again later.`, {
    category: "rate_limit",
    status: 429,
    code: "too_many",
    retryable: true,
    retryAfterMs,
  });

export const spent = (message: string, retryAfterMs: number): MullError =>
  new MullError(message, { category: "quota", status: 429, code: "spent", retryAfterMs });

export const full = (message: string): MullError =>
  new MullError(message, {
    category: "overloaded",
    status: 503,
    code: "full",
    retryable: true,
    retryAfterMs: 5000,
  });
