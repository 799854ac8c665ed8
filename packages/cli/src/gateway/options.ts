import type { OptionTable } from "../frame/command.ts";

/** Options that `mull gateway` and `mull run` share. */
export const gatewayOptions: OptionTable = {
  map: {
    type: "string",
    value: "NAME=REF",
    many: true,
    help: "the model that answers for a name; `*` in NAME matches any text, and the first match counts",
  },
  fallback: {
    type: "string",
    value: "A,B",
    many: true,
    help: "models to ask, in this order, when one is down, rate limited or refuses",
  },
  config: {
    type: "string",
    value: "FILE",
    help: "the same as JSON: model, map, fallback, log, record",
  },
  log: { type: "string", value: "FILE", help: "append every receipt as a line of JSON; no bodies" },
  record: {
    type: "string",
    value: "FOLDER",
    help: "record all exchanges on cassettes, without keys",
  },
  simulate: { type: "boolean", help: "let the built-in emulator answer, even with keys" },
};

/** For servers on a port: a page of another name that points here must not be answered. */
export const hostName = {
  type: "string",
  value: "NAME",
  many: true,
  help: "a host name that clients on other machines use",
} as const;
