import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll } from "vitest";

import { listen, type Listening } from "../node.ts";

/** There while tests run, not before. */
interface Served<Client> {
  readonly url: string;
  readonly client: Client;
}

/** A vendor's own client at an emulator on loopback, for the tests of a file. */
function serve<Client>(connect: (url: string) => Client): Served<Client> {
  let server: Listening;
  let client: Client;
  beforeAll(async () => {
    server = await listen();
    client = connect(server.url);
  });
  afterAll(() => server.close());
  return {
    get url() {
      return server.url;
    },
    get client() {
      return client;
    },
  };
}

export const serveOpenai = (): Served<OpenAI> =>
  serve((url) => new OpenAI({ apiKey: "emulated", baseURL: `${url}/v1`, maxRetries: 0 }));

export const serveGoogle = (): Served<GoogleGenAI> =>
  serve((url) => new GoogleGenAI({ apiKey: "emulated", httpOptions: { baseUrl: url } }));
