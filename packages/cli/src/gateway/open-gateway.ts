import { appendFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import type { createGateway, GatewayReceipt } from "@mull/gateway";
import { providers, type Environment } from "mull";

import { makeFolder } from "../config/make-folder.ts";
import { loadKeys } from "../config/keys.ts";
import type { Given } from "../frame/command.ts";
import type { Io } from "../frame/io.ts";
import { UsageError } from "../frame/usage-error.ts";
import { fileTrouble } from "../wire-tools/input.ts";
import { loadSecret } from "./secret.ts";
import type { GatewaySettings } from "./settings.ts";
import { startTape } from "./tape.ts";
import { openTelemetry } from "./telemetry.ts";

/** A gateway as the commands use it, and what ends its recording. */
export interface OpenGateway {
  readonly gateway: ReturnType<typeof createGateway>;
  readonly env: Environment;
  readonly done: () => Promise<void>;
}

/** Opens a gateway with the keys, the secret, the log and the cassette that were asked for. */
export async function openGateway(
  settings: GatewaySettings,
  given: Given,
  io: Io,
  access: { readonly clientKeys?: readonly string[]; readonly hosts?: readonly string[] },
  onRequest: (receipt: GatewayReceipt) => void,
): Promise<OpenGateway> {
  const { createGateway: create } = await import("@mull/gateway");
  const { log, record, ...routes } = settings;
  const env = given.has("simulate") ? emulatedKeys() : loadKeys(io);
  const secret = loadSecret(io);
  const write = log === undefined ? undefined : logTo(resolve(io.cwd, log), io);
  const live = given.has("simulate")
    ? (await import("../session/simulated.ts")).simulate()
    : undefined;
  const tape =
    record === undefined
      ? undefined
      : await startTape(record, { ...env, MULL_GATEWAY_SECRET: secret }, live, io);
  const fetch = tape?.fetch ?? live;
  const observe = await openTelemetry(io);
  const gateway = create({
    ...routes,
    ...access,
    secret,
    env,
    ...(fetch !== undefined && { fetch }),
    ...(observe !== undefined && { observe }),
    onRequest: (receipt) => {
      write?.(receipt);
      onRequest(receipt);
    },
  });
  return { gateway, env, done: async () => tape?.done() };
}

/** The emulator takes any key but needs one, and none of the user's addresses is used. */
const emulatedKeys = (): Environment =>
  Object.fromEntries(
    providers.flatMap(({ keyVariables }) => keyVariables.map((name) => [name, "emulated"])),
  );

function logTo(path: string, { err }: Io): (receipt: GatewayReceipt) => void {
  try {
    makeFolder(dirname(path));
    appendFileSync(path, "", { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`--log: cannot write ${path}: ${fileTrouble(error)}`);
  }
  let isWritten = true;
  return (receipt) => {
    try {
      appendFileSync(path, `${JSON.stringify(receipt)}\n`);
      isWritten = true;
    } catch (error) {
      if (isWritten) err(`⚠ --log: cannot write ${path}: ${fileTrouble(error)}\n`);
      isWritten = false;
    }
  };
}
