import { BlockList, isIP } from "node:net";
import { badRequest } from "./shape.ts";

/** Who may say where a request came from: proxies by address, or how many of them are in front. */
export type TrustedProxies = number | BlockList;

/** `2`, or addresses and networks: `10.0.0.7, 192.168.0.0/16, fd00::/8`. */
export function readProxies(given: string): TrustedProxies {
  if (/^\d{1,2}$/.test(given.trim())) return Number(given);
  const list = new BlockList();
  for (const entry of given.split(/[\s,]+/).filter(Boolean)) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const most = family === "ipv6" ? 128 : 32;
    const prefix = bits === undefined ? most : Number(bits);
    const isNetwork = isIP(address) > 0 && /^\d+$/.test(bits ?? "0") && prefix <= most;
    if (!isNetwork)
      throw badRequest("MULL_TRUSTED_PROXIES", "a number of proxies, or addresses and networks");
    list.addSubnet(address, prefix, family);
  }
  return list;
}

/** Node writes IPv4 addresses on an IPv6 socket as `::ffff:10.0.0.7`. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

const isListed = (list: BlockList, address: string): boolean => {
  const version = isIP(address);
  return version > 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
};

/**
 * Where a request came from. Each proxy appends the address it saw. Anyone can forge what comes
 * before our first proxy, so read the list from its end.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  const way = [...(forwardedFor ?? "").split(","), peer].map((place) => plain(place.trim()));
  const isOurs = (address: string, hop: number): boolean =>
    typeof trusted === "number" ? hop < trusted : isListed(trusted, address);
  let from = way.length - 1;
  // A value that isn't an address wasn't written by a proxy.
  for (let hop = 0; from > 0 && isIP(way[from - 1]!) > 0 && isOurs(way[from]!, hop); hop++) from--;
  return way[from]!;
}
