import type { Scenario } from "./report.ts";
import { chatServer } from "./scenarios/chat-server.ts";
import { coldTurn } from "./scenarios/cold-turn.ts";
import { concurrency } from "./scenarios/concurrency.ts";
import { decode } from "./scenarios/decode.ts";
import { decodePeers } from "./scenarios/decode-peers.ts";
import { gateway } from "./scenarios/gateway.ts";
import { growth } from "./scenarios/growth.ts";
import { history } from "./scenarios/history.ts";
import { historyPeers } from "./scenarios/history-peers.ts";
import { loopback } from "./scenarios/loopback.ts";
import { memory } from "./scenarios/memory.ts";
import { page } from "./scenarios/page.ts";
import { repairing } from "./scenarios/repairing-fetch.ts";
import { startUp } from "./scenarios/start-up.ts";
import { transforms } from "./scenarios/transforms.ts";

interface Planned {
  readonly scenario: Scenario;
  /** The most seconds it may take, plus what earlier scenarios did not use. */
  readonly seconds: number;
}

const plan = (seconds: number, ...scenarios: readonly Scenario[]): readonly Planned[] =>
  scenarios.map((scenario) => ({ scenario, seconds }));

/** Everything that is measured, in this order. It takes at most twelve minutes. */
export const plannedScenarios: readonly Planned[] = [
  ...plan(40, decode),
  ...plan(25, growth),
  ...plan(45, loopback),
  ...plan(35, memory, startUp, coldTurn),
  ...plan(25, history),
  ...plan(35, historyPeers),
  ...plan(45, concurrency),
  ...plan(25, chatServer),
  ...plan(10, transforms),
  ...plan(10, repairing),
  ...plan(85, gateway),
  ...plan(30, page),
  ...plan(60, ...decodePeers),
];
