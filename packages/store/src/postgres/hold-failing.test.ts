import { EventEmitter } from "node:events";
import type { Client } from "pg";
import { expect, test } from "vitest";
import { holdNames } from "./hold-names.ts";
import { wrong } from "../../../../test/stubs.ts";

/** A database with one lock, whose `holders` row fails to be written as often as told. */
function fakeDatabase(refusals: number): {
  readonly connect: () => Promise<Client>;
  readonly sessions: Set<object>;
  readonly isHeld: () => boolean;
} {
  const sessions = new Set<object>();
  let holder: object | undefined;
  let left = refusals;
  let isWritten = false;
  const connect = async (): Promise<Client> => {
    const events = new EventEmitter();
    const session = Object.assign(events, {
      processID: 7,
      ref: () => undefined,
      unref: () => undefined,
      query: async (text: string) => {
        if (text.includes("pg_backend_pid")) return { rows: [{ pid: 7 }] };
        if (text.includes("pg_advisory_lock")) {
          if (holder !== undefined && holder !== session) throw new Error("lock timeout");
          holder = session;
        } else if (left-- > 0) throw new Error("read-only");
        else isWritten = true;
        return { rows: [] };
      },
      end: async () => {
        sessions.delete(session);
        if (holder === session) holder = undefined;
        events.emit("end");
      },
    });
    sessions.add(session);
    return wrong(session);
  };
  return { connect, sessions, isHeld: () => isWritten && holder !== undefined };
}

test("F-D6: a name that could not be held at first is held later, by one connection", async () => {
  const { connect, sessions, isHeld } = fakeDatabase(2);
  const names = holdNames(connect);
  await names.hold("ann");
  expect(isHeld()).toBe(false);
  await expect.poll(isHeld).toBe(true);
  expect(sessions.size).toBe(1);
  await names.close();
  expect(sessions.size).toBe(0);
});
