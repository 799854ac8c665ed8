import { hashKey } from "@mull/gateway";

import type { RunCommand } from "../frame/command.ts";
import { exitCodes } from "../frame/exit-code.ts";
import { say } from "../frame/fold.ts";
import type { Io } from "../frame/io.ts";
import { readPort } from "../frame/read-count.ts";
import { UsageError } from "../frame/usage-error.ts";
import { untilStopped } from "../frame/until-stopped.ts";
import { listen } from "../gateway/listen.ts";
import { openGateway } from "../gateway/open-gateway.ts";
import { commonVariables } from "../gateway/programs.ts";
import { receiptLine } from "../gateway/receipt-line.ts";
import { readGatewaySettings } from "../gateway/settings.ts";

const usualPort = 4100;

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

export const run: RunCommand = async (given, io) => {
  const stopped = untilStopped(io);
  const port = readPort("--port", given.text("port")) ?? usualPort;
  const host = given.text("host") ?? "127.0.0.1";
  const clientKeys = await readClientKeys(io);
  if (!loopback.has(host) && clientKeys === undefined) throw keysNeeded(host);
  const settings = await readGatewaySettings(given, io);
  const names = given.texts("host-name");
  const hosts = [...names, ...(isAnyAddress(host) ? [] : [host])];
  const access = { hosts, ...(clientKeys !== undefined && { clientKeys }) };
  const open = await openGateway(settings, given, io, access, (receipt) =>
    io.err(`${receiptLine(receipt)}\n`),
  );
  const listening = await listen(open.gateway, { port, host });
  const url = listening.url.replace(host, isAnyAddress(host) ? (names[0] ?? host) : host);
  await io.out(`The gateway is at ${url}\n`);
  say(io, `${startLines(url, clientKeys !== undefined).join("\n")}\n`);
  if (hosts.length === 0)
    say(io, "⚠ Other machines are refused until you name this one: --host-name NAME\n");
  await stopped;
  await listening.close();
  await open.done();
  return exitCodes.done;
};

/** No client sends `Host: 0.0.0.0`, so that address is not an allowed name. */
const isAnyAddress = (host: string): boolean => host === "0.0.0.0" || host === "::";

const keysNeeded = (host: string): UsageError =>
  new UsageError(
    `--host: ${JSON.stringify(host)} is not loopback. Allowed: ${[...loopback].join(" ")}`,
    "Anyone who reaches another address can use your keys: set MULL_GATEWAY_KEYS to the keys, or their SHA-256 hashes, that clients must send.",
  );

/** Keys are kept as hashes only: a hash is taken as it is. */
async function readClientKeys({ env }: Io): Promise<readonly string[] | undefined> {
  const keys = (env["MULL_GATEWAY_KEYS"] ?? "").split(/[\s,]+/).filter((key) => key !== "");
  if (keys.length === 0) return undefined;
  return Promise.all(keys.map(async (key) => (/^[\da-f]{64}$/i.test(key) ? key : hashKey(key))));
}

const startLines = (url: string, needsKey: boolean): readonly string[] => {
  const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL, GOOGLE_GEMINI_BASE_URL } = commonVariables({
    url,
    key: "",
  });
  return [
    `  ANTHROPIC_BASE_URL=${ANTHROPIC_BASE_URL}`,
    `  OPENAI_BASE_URL=${OPENAI_BASE_URL}`,
    `  GOOGLE_GEMINI_BASE_URL=${GOOGLE_GEMINI_BASE_URL}`,
    needsKey
      ? "Clients send one of the keys of MULL_GATEWAY_KEYS. Ctrl-C ends it."
      : "Only this machine reaches it. Ctrl-C ends it.",
  ];
};
