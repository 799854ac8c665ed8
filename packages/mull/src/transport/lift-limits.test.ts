import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { failureOf, serveHttp } from "../../../../test/loopback.ts";
import { MullError } from "../types/error.ts";
import { patientDispatcher } from "./lift-limits.ts";
import { runtimePost } from "./node-client.ts";
import { send } from "./send.ts";

const key = Symbol.for("undici.globalDispatcher.1");
const newerKey = Symbol.for("undici.globalDispatcher.2");
void globalThis.Headers;
const inCharge: unknown = Reflect.get(globalThis, key);
/** Newer clients put a wrapper in the old place. */
const stock: unknown = Reflect.get(globalThis, newerKey) ?? inCharge;
const wrapper = { constructor: { name: "Dispatcher1Wrapper" } };

function makeAgent(options: object): object {
  if (typeof stock !== "object" || stock === null) throw new Error("no agent in this runtime");
  const agent: unknown = Reflect.construct(stock.constructor, [options]);
  if (typeof agent !== "object" || agent === null) throw new Error("no agent was made");
  return agent;
}

type Dispatch = (options: unknown, handler: unknown) => unknown;

/** What `agent.compose(interceptor)` returns from version 7 of the client on. */
const composed = (agent: object, dispatch: Dispatch): object =>
  new Proxy(agent, {
    get: (target, name) => (name === "dispatch" ? dispatch : Reflect.get(target, name)),
  });

function makeOwnAgent(): object {
  const Stock = Object(stock).constructor as new () => object;
  return new (class Agent extends Stock {})();
}

const decodeError = (): MullError => new MullError("refused", { category: "server" });

afterEach(() => {
  Reflect.set(globalThis, key, inCharge);
});

describe("F-N14 F-N20: the runtime's limit of 300 s", () => {
  test("F-N14: the stock agent is replaced by one without limits, one for the process", () => {
    const patient = patientDispatcher();
    expect(patient).toBeDefined();
    expect(patient).not.toBe(stock);
    expect(patientDispatcher()).toBe(patient);
  });

  test("F-N14: the stock agent is found behind its wrapper", () => {
    const patient = patientDispatcher({ [key]: wrapper, [newerKey]: makeAgent({}) });
    expect(patient?.constructor).toBe(Object(stock).constructor);
  });

  test.each<[string, () => object]>([
    ["no Node", () => ({})],
    ["a proxy agent", () => ({ [key]: { constructor: { name: "ProxyAgent" } } })],
    ["a mock agent", () => ({ [key]: { constructor: { name: "MockAgent" } } })],
    ["an agent with options", () => ({ [key]: makeAgent({ headersTimeout: 5 }) })],
    ["an agent with a factory", () => ({ [key]: makeAgent({ factory: () => undefined }) })],
    ["a composed agent", () => ({ [key]: composed(makeAgent({}), () => true) })],
    ["a class of one's own by the same name", () => ({ [key]: makeOwnAgent() })],
    ["something else", () => ({ [key]: "Agent" })],
    [
      "a wrapped proxy agent",
      () => ({ [key]: wrapper, [newerKey]: { constructor: { name: "ProxyAgent" } } }),
    ],
    ["a wrapper of nothing", () => ({ [key]: wrapper })],
  ])("F-N20: %s stays in charge", (_name, makeScope) => {
    expect(patientDispatcher(makeScope())).toBeUndefined();
  });

  test("F-N20: a request goes through an interceptor of the program's own", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end();
    });
    let seen = 0;
    const agent = makeAgent({});
    const inner = Reflect.get(agent, "dispatch") as Dispatch;
    const place = Reflect.get(globalThis, newerKey) === undefined ? key : newerKey;
    const before: unknown = Reflect.get(globalThis, place);
    onTestFinished(() => void Reflect.set(globalThis, place, before));
    Reflect.set(
      globalThis,
      place,
      composed(agent, (options, handler) => {
        seen++;
        return inner.call(agent, options, handler);
      }),
    );
    const request = { url: server.url, headers: {}, body: "{}", decodeError, post: runtimePost() };
    const { status, lifeline } = await send(request);
    lifeline.close();
    expect([status, seen]).toEqual([200, 1]);
  });

  test("F-N14: an answer slower than the runtime allows arrives through the patient agent", async () => {
    const server = await serveHttp((_request, response) => {
      setTimeout(() => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end();
      }, 1500);
    });
    const request = { url: server.url, headers: {}, body: "{}", decodeError };
    const impatient = makeAgent({ headersTimeout: 300 });
    const error = await failureOf(send(request, { dispatcher: impatient }));
    expect(error).toMatchObject({ category: "timeout", code: "UND_ERR_HEADERS_TIMEOUT" });
    const response = await send({ ...request, post: runtimePost() });
    expect(response.status).toBe(200);
    response.lifeline.close();
  });
});
