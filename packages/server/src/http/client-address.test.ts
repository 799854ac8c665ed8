import { describe, expect, it } from "vitest";
import { clientAddress, readProxies } from "./client-address.ts";

describe("where a request came from", () => {
  it.each([
    ["nobody is trusted", "", "10.0.0.7", "1.2.3.4", "10.0.0.7"],
    ["one proxy, by its address", "10.0.0.7", "10.0.0.7", "1.2.3.4", "1.2.3.4"],
    ["written by the client before it", "10.0.0.7", "10.0.0.7", "9.9.9.9, 1.2.3.4", "1.2.3.4"],
    ["two proxies of a network", "10.0.0.0/8", "10.0.0.7", "1.2.3.4, 10.1.1.1", "1.2.3.4"],
    ["two proxies by number", "2", "10.0.0.7", "9.9.9.9, 1.2.3.4, 10.1.1.1", "1.2.3.4"],
    ["more hops than were written", "3", "10.0.0.7", "1.2.3.4", "1.2.3.4"],
    ["a stranger's header", "10.0.0.7", "5.6.7.8", "1.2.3.4", "5.6.7.8"],
    ["no header", "10.0.0.7", "10.0.0.7", undefined, "10.0.0.7"],
    ["no address in it", "10.0.0.7", "10.0.0.7", "unknown", "10.0.0.7"],
    ["IPv4 on a socket of IPv6", "127.0.0.1", "::ffff:127.0.0.1", "1.2.3.4", "1.2.3.4"],
    ["IPv6", "fd00::/8", "fd00::1", "2001:db8::5", "2001:db8::5"],
  ] as const)("%s", (_, trusted, peer, header, address) => {
    expect(clientAddress(peer, header, readProxies(trusted))).toBe(address);
  });

  it.each(["proxy.example", "10.0.0.0/33", "10.0.0.0/x", "10.0.0"])("refuses %s", (wrong) => {
    expect(() => readProxies(wrong)).toThrow("MULL_TRUSTED_PROXIES: expected a number of proxies");
  });
});
