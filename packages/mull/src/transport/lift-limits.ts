interface Lifted {
  readonly stock: object;
  readonly patient: object;
}

/** The one agent of the process, made when first needed: agents own the pool of connections. */
let lifted: Lifted | undefined;

const globalDispatcher = Symbol.for("undici.globalDispatcher.1");

/**
 * Node's `fetch` gives up after 300 silent seconds before the headers and within the body, and
 * models think longer. The limit belongs to the agent, so this returns an agent without it, for
 * `fetch(url, { dispatcher })`; or `undefined` where the runtime is not Node or somebody has put
 * an agent of their own (a proxy, a mock, one with options) in charge.
 */
export function patientDispatcher(scope: object = globalThis): object | undefined {
  // Node loads its client, and with it the agent, when one of its classes is first touched.
  Reflect.get(scope, "Headers");
  const agent: unknown = Reflect.get(scope, globalDispatcher);
  // An agent's options are those it was made with.
  if (agent !== undefined && lifted?.stock === agent) return lifted.patient;
  const stock = stockAgent(agent);
  if (stock === undefined) return undefined;
  const patient: unknown = Reflect.construct(stock.constructor, [
    { headersTimeout: 0, bodyTimeout: 0 },
  ]);
  if (typeof patient !== "object" || patient === null) return undefined;
  lifted = { stock, patient };
  return patient;
}

/** The agent, if it is the one that Node made and nobody has set anything on it. */
function stockAgent(agent: unknown): object | undefined {
  if (typeof agent !== "object" || agent?.constructor.name !== "Agent") return undefined;
  const key = Object.getOwnPropertySymbols(agent).find((own) => own.description === "options");
  const options: unknown = key && Reflect.get(agent, key);
  // Whatever somebody has set must stay in force.
  return Object.values(Object(options)).some((value) => value !== undefined) ? undefined : agent;
}
