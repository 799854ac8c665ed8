import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { Io } from "../frame/io.ts";
import { emptyHome } from "../testing/fake-io.ts";
import { loadSecret } from "./secret.ts";

const worldOf = (home: string, env: Io["env"] = {}) => {
  let said = "";
  const err = (text: string): void => {
    said += text;
  };
  return { io: { home, env, cwd: home, err }, said: () => said };
};

describe("the gateway's secret", () => {
  test("F-C5 is made once, in a file only its owner can read", () => {
    const home = emptyHome();
    const { io, said } = worldOf(home);
    const secret = loadSecret(io);
    const path = join(home, ".config", "mull", "gateway-secret");
    expect(secret).toMatch(/^[\da-f]{64}$/);
    expect(readFileSync(path, "utf8").trim()).toBe(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadSecret(io)).toBe(secret);
    expect(said()).toBe("");
  });

  test("F-C5 says when others can read it", () => {
    const { io, said } = worldOf(emptyHome());
    loadSecret(io);
    chmodSync(join(io.home, ".config", "mull", "gateway-secret"), 0o644);
    loadSecret(io);
    expect(said()).toContain("can be read by others: chmod 600");
  });

  test("comes from MULL_GATEWAY_SECRET where that is set", () => {
    const { io } = worldOf(emptyHome(), {
      MULL_GATEWAY_SECRET: "of all our gateways, 32 letters..",
    });
    expect(loadSecret(io)).toBe("of all our gateways, 32 letters..");
  });

  test("MULL_GATEWAY_SECRET that is too short is named with what to do", () => {
    const { io } = worldOf(emptyHome(), { MULL_GATEWAY_SECRET: "short" });
    expect(() => loadSecret(io)).toThrow(
      "MULL_GATEWAY_SECRET has 5 characters. Allowed: at least 16",
    );
  });

  test("a file that holds none is named with what to do", () => {
    const { io } = worldOf(emptyHome());
    loadSecret(io);
    writeFileSync(join(io.home, ".config", "mull", "gateway-secret"), "short\n");
    expect(() => loadSecret(io)).toThrow("contains no secret");
  });
});
