import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../../../test/loopback.ts";
import { Agent } from "./agent.ts";

void globalThis.Headers;
const oldPlace = Symbol.for("undici.globalDispatcher.1");
const newPlace = Symbol.for("undici.globalDispatcher.2");
const place = Reflect.get(globalThis, newPlace) === undefined ? oldPlace : newPlace;

type Dispatch = (options: unknown, handler: unknown) => unknown;

/** Node's agent with an interceptor, as `compose` makes one, and how many requests went through it. */
function composed(): { readonly dispatcher: object; readonly count: () => number } {
  const agent = Object(Reflect.get(globalThis, place)) as { readonly dispatch: Dispatch };
  let seen = 0;
  const dispatch: Dispatch = (options, handler) => {
    seen++;
    return agent.dispatch(options, handler);
  };
  const dispatcher = new Proxy(agent, {
    get: (target, name): unknown => (name === "dispatch" ? dispatch : Reflect.get(target, name)),
  });
  return { dispatcher, count: () => seen };
}

const answer =
  'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

async function serveAnswer(): Promise<string> {
  const server = await serveHttp((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
  });
  return `${server.url}/v1`;
}

test("F-N20: an agent asks through the dispatcher it is given", async () => {
  const { dispatcher, count } = composed();
  const agent = new Agent("vllm:m", { baseUrl: await serveAnswer(), env: {}, dispatcher });
  expect((await agent.send("Hi")).text).toBe("Hello");
  expect(count()).toBe(1);
});

test("F-N20: an agent asks through the dispatcher that is in charge", async () => {
  const { dispatcher, count } = composed();
  const before: unknown = Reflect.get(globalThis, place);
  onTestFinished(() => void Reflect.set(globalThis, place, before));
  const agent = new Agent("vllm:m", { baseUrl: await serveAnswer(), env: {} });
  await agent.send("Hi");
  expect(count()).toBe(0);
  Reflect.set(globalThis, place, dispatcher);
  await agent.send("Hi");
  expect(count()).toBe(1);
});
