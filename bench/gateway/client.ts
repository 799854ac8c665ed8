import { Agent, request, type IncomingHttpHeaders } from "node:http";

/** Where requests of Anthropic's wire go. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

// Servers close a connection after 5 idle seconds, possibly just as it is used again.
const agent = new Agent({ keepAlive: true, timeout: 3000 });

/** How every stream of Anthropic's wire ends. */
const lastWords = "message_stop";

const usualHeaders = (body: string): Readonly<Record<string, string | number>> => ({
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
  "anthropic-version": "2023-06-01",
  "x-api-key": "sk-ant-bench",
});

/** How long one request took until its answer was complete, in milliseconds. */
export interface Asked {
  readonly ms: number;
  readonly headers: IncomingHttpHeaders;
}

/** Sends a request and reads its answer to the end. An incomplete answer is an error. */
export const ask = ({ url, headers }: Target, body: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const options = { agent, method: "POST", headers: { ...usualHeaders(body), ...headers } };
    const sent = request(`${url}/v1/messages`, options, (response) => {
      let end = "";
      response.on("data", (chunk: Buffer) => {
        end = end.slice(-100) + chunk.toString("latin1", Math.max(0, chunk.length - 100));
      });
      response.on("error", reject);
      response.on("end", () => {
        const ms = performance.now() - started;
        if (response.statusCode === 200 && end.includes(lastWords))
          resolve({ ms, headers: response.headers });
        else reject(new Error(`${url}: ${response.statusCode}, its answer ends with ${end}`));
      });
    });
    sent.on("error", (cause) => {
      // On a busy machine the agent's timer comes too late, and a connection is used that the server has closed.
      if (sent.reusedSocket && cause.message === "socket hang up")
        resolve(ask({ url, headers }, body));
      else reject(new Error(`${url}: ${cause.message}`, { cause }));
    });
    sent.end(body);
  });
