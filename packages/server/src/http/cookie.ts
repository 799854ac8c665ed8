/**
 * Over plain loopback HTTP, neither the prefix nor Secure: some browsers drop such cookies there.
 */
export const cookieName = (isSecure: boolean): string => (isSecure ? "__Host-mull" : "mull");

export function readCookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
