/** The places where undici, the client inside Node, keeps the global agent. From undici 8 on the first holds only a wrapper of the second. */
const globalDispatcher = Symbol.for("undici.globalDispatcher.1");
const wrappedDispatcher = Symbol.for("undici.globalDispatcher.2");

/** The property of Node's agent that holds ours, so that all copies of mull share one: each agent has its own pool of connections. */
const patientAgent = Symbol("mull.patientAgent");

/**
 * Node's `fetch` gives up after 300 silent seconds before the headers and within the body, and
 * models think longer. The limit belongs to the agent, so this returns an agent without it, for
 * `fetch(url, { dispatcher })`; or `undefined` if the runtime is not Node or somebody has put
 * an agent of their own (a proxy, a mock, one with options) in charge.
 */
export function patientDispatcher(scope: object = globalThis): object | undefined {
  // Node loads undici when one of its classes is first used. Before that there is no agent to find.
  Reflect.get(scope, "Headers");
  const stock = stockAgent(agentInCharge(scope));
  if (stock === undefined) return undefined;
  const known: unknown = Reflect.get(stock, patientAgent);
  const patient: unknown =
    known ?? Reflect.construct(stock.constructor, [{ headersTimeout: 0, bodyTimeout: 0 }]);
  if (typeof patient !== "object" || patient === null) return undefined;
  if (known === undefined) Object.defineProperty(stock, patientAgent, { value: patient });
  return patient;
}

const nameOf = (agent: unknown): string | undefined =>
  (agent as { readonly constructor?: { readonly name: string } } | null | undefined)?.constructor
    ?.name;

function agentInCharge(scope: object): unknown {
  const agent: unknown = Reflect.get(scope, globalDispatcher);
  return nameOf(agent) === "Dispatcher1Wrapper" ? Reflect.get(scope, wrappedDispatcher) : agent;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== Infinity;

/** The agent, if it is exactly as Node makes it. In doubt it is the program's own, e.g. a proxy, and must be used. */
function stockAgent(agent: unknown): object | undefined {
  if (typeof agent !== "object" || agent === null || nameOf(agent) !== "Agent") return undefined;
  // `new Agent().compose(…)` is an Agent whose `dispatch` was replaced; a program's own subclass may also be called Agent.
  const parent: object = Object.getPrototypeOf(Object(agent.constructor.prototype));
  if (Reflect.get(agent, "dispatch") !== Reflect.get(parent, "dispatch")) return undefined;
  if (nameOf(parent) === "Agent") return undefined;
  if (!/^defaultFactory\d*$/.test(String(Object(ownValue(agent, "factory")).name)))
    return undefined;
  // An option set to `Infinity` or `undefined` changes nothing, so the agent still counts as Node's.
  return Object.values(Object(ownValue(agent, "options"))).some(isSet) ? undefined : agent;
}

const ownValue = (agent: object, name: string): unknown => {
  const key = Object.getOwnPropertySymbols(agent).find((own) => own.description === name);
  return key && Reflect.get(agent, key);
};
