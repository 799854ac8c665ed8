import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { Fetch } from "./fetch.ts";
import { play } from "./play.ts";
import { record } from "./record.ts";
import { makeDirectory, readEverything, readPieces, streamOf } from "./testing/loopback.ts";

// Built from pieces: nothing in this file may look like a key to a scanner.
const join2 = (...parts: readonly string[]): string => parts.join("");
const secrets = {
  anthropic: join2("sk-", "ant-", "api03-Zz9", "x".repeat(40), "-AA"),
  openai: join2("sk-", "proj-", "Qq7", "y".repeat(40)),
  openaiOld: join2("sk-", "abcDEF123".repeat(5)),
  google: join2("AI", "za", "SyB9", "z".repeat(31)),
  googleNew: join2("AQ", ".Ab8RN6", "k".repeat(40)),
  jwt: join2(
    "ey",
    "JhbGciOiJIUzI1NiJ9",
    ".",
    "ey",
    "JzdWIiOiIxMjM0NTY3ODkwIn0",
    ".",
    "s1gnatur3-_x",
  ),
  opaque: "correct horse 7 battery",
  organisation: join2("org-", "Ab12Cd34Ef56Gh78"),
  project: join2("proj_", "Ab12Cd34Ef56Gh78"),
  email: join2("jane.doe", "@", "personal-mail.net"),
  groq: join2("gs", "k_", "A1b2C3d4E5f6G7h8I9j0K1l2"),
  github: join2("gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4"),
  aws: join2("AK", "IA", "ABCDEFGHIJKLMNOP"),
} as const;

const url = "https://api.example.test/v1/messages";

interface Probe {
  readonly name: string;
  readonly secret: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly pieces?: readonly (string | Uint8Array)[];
  readonly answer?: string;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  readonly known?: readonly string[];
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const split = (text: string, at: number): readonly string[] => [text.slice(0, at), text.slice(at)];

const shapes = Object.entries(secrets)
  .filter(([name]) => name !== "opaque")
  .flatMap(([name, secret]): Probe[] => {
    return [
      {
        name: `${name} in a request body`,
        secret,
        body: JSON.stringify({ text: `a\n${secret}\nb` }),
      },
      {
        name: `${name} in an error text`,
        secret,
        answer: `{"error":{"message":"bad: ${secret}."}}`,
      },
      { name: `${name} cut in two`, secret, pieces: ["data: x ", ...split(secret, 7), " y\n\n"] },
      {
        name: `${name} over the events of a stream`,
        secret: secret.slice(6),
        pieces: ["so ", ...(secret.match(/.{1,4}/g) ?? []), " it is"].map(
          (text) => `data: ${JSON.stringify({ delta: { type: "text_delta", text } })}\n\n`,
        ),
      },
      { name: `${name} byte by byte`, secret, pieces: `data: ${secret}\n\n`.split("") },
    ];
  });

const places: readonly Probe[] = [
  ...["x-api-key", "x-goog-api-key", "api-key", "cookie", "x-future-header"].map((header) => ({
    name: `header ${header}`,
    secret: secrets.opaque,
    headers: { [header]: secrets.opaque },
  })),
  {
    name: "header authorization, echoed in the answer",
    secret: secrets.opaque,
    headers: { authorization: `Bearer ${secrets.opaque}` },
    answer: `you sent ${secrets.opaque}!`,
  },
  { name: "query key", secret: "0paque-value", url: `${url}?alt=sse&key=0paque-value` },
  { name: "query token", secret: "0paque-value", url: `${url}?access_token=0paque-value` },
  { name: "secret in the path", secret: secrets.anthropic, url: `${url}/${secrets.anthropic}/x` },
  ...["set-cookie", "openai-organization", "anthropic-organization-id", "x-amzn-trace"].map(
    (header) => ({
      name: `F-V8 answer header ${header}`,
      secret: "acct-77-value",
      answerHeaders: { [header]: "acct-77-value" },
    }),
  ),
  { name: "kept header", secret: secrets.google, answerHeaders: { "request-id": secrets.google } },
  ...["api_key", "password", "client_secret", "refreshToken", "organization_id"].map((field) => ({
    name: `field ${field}`,
    secret: "pl4in value",
    body: JSON.stringify({ deep: { [field]: "pl4in value" } }),
    answer: JSON.stringify({ arguments: JSON.stringify({ [field]: "pl4in value" }) }),
  })),
  ...["client_secret", "refresh_token", "code"].map((field) => ({
    name: `field ${field} of a form, echoed in the answer`,
    secret: "pl4in-value",
    headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body: `${field}=pl4in-value&grant_type=x&${field}=pl4in-value`,
    answer: "you sent pl4in-value!",
  })),
  {
    name: "field of a multipart form",
    secret: "pl4in value",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: '--b\r\nContent-Disposition: form-data; name="client_secret"\r\nContent-Type: text/plain\r\n\r\npl4in value\r\n--b--\r\n',
  },
  {
    name: "key behind other letters",
    secret: secrets.openai,
    body: `hello${secrets.openai}`,
  },
  {
    name: "known value as base64 of user:key",
    secret: base64(`x:${secrets.opaque}`).slice(8, -8),
    known: [secrets.opaque],
    answer: `basic ${base64(`x:${secrets.opaque}`)}`,
  },
  {
    name: "known value percent-encoded",
    secret: encodeURIComponent(secrets.opaque),
    known: [secrets.opaque],
    answer: `see /?q=${encodeURIComponent(secrets.opaque)}`,
  },
  {
    name: "known value in hexadecimal",
    secret: Buffer.from(secrets.opaque).toString("hex"),
    known: [secrets.opaque],
    answer: Buffer.from(secrets.opaque).toString("hex"),
  },
  {
    name: "known value with quotes, escaped",
    secret: 'say \\"friend\\" 9',
    known: ['say "friend" 9'],
    body: JSON.stringify({ text: 'say "friend" 9' }),
  },
  {
    name: "key among bytes that aren't text",
    secret: secrets.openai,
    pieces: [Uint8Array.of(0xff, 0xfe), secrets.openai, Uint8Array.of(0xc3)],
  },
  { name: "masked key", secret: "ab12****", answer: `wrong key: ${join2("sk-", "ab12****yz")}` },
  { name: "F-V8 home directory", secret: "janedoe", answer: 'read "/home/janedoe/notes.txt"' },
  { name: "F-V8 Windows home", secret: "janedoe", answer: String.raw`"C:\\Users\\janedoe\\x"` },
  {
    name: "bearer in a body",
    secret: "t0k3n-abc.def",
    answer: "Authorization: Bearer t0k3n-abc.def",
  },
];

const probes = [...shapes, ...places];

const piecesOf = ({ pieces, answer = "ok" }: Probe): readonly Uint8Array[] =>
  (pieces ?? [answer]).map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));

const joinDeltas = (body: string): string =>
  [...body.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join("");

/** Reads an answer and sends it back. */
const talk = async (fetch: Fetch): Promise<string> => {
  const said = joinDeltas(await (await fetch(url)).text());
  await fetch(url, { method: "POST", body: JSON.stringify({ said }) });
  return said;
};

const askWith = (key: string): readonly [string, RequestInit] => [
  `${url}?key=${key}`,
  { method: "POST", headers: { "x-api-key": key }, body: JSON.stringify({ key }) },
];

const serve =
  (probe: Probe): Fetch =>
  async () =>
    new Response(streamOf(piecesOf(probe)), {
      headers: { "content-type": "text/plain", ...probe.answerHeaders },
    });

const requestOf = (probe: Probe): readonly [string, RequestInit] => [
  probe.url ?? url,
  { method: "POST", body: probe.body ?? "{}", ...(probe.headers && { headers: probe.headers }) },
];

describe("F-V1 F-V8 P-J3 R271 secrets", () => {
  test("there are at least forty probes", () => {
    expect(probes.length).toBeGreaterThanOrEqual(40);
  });

  test.each(probes)("never on disk: $name", async (probe) => {
    const directory = await makeDirectory();
    const cassette = join(directory, "probe.jsonl");
    const redact = { secrets: probe.known ?? [] };
    const live = record({ cassette, redact, fetch: serve(probe) });
    const response = await live(...requestOf(probe));
    const answer = Buffer.concat(await readPieces(response)).toString("latin1");
    expect(answer).toBe(Buffer.concat(piecesOf(probe)).toString("latin1"));
    expect(await readEverything(directory)).not.toContain(probe.secret);
    await live.done();
    const written = await readFile(cassette, "latin1");
    expect(written).not.toContain(probe.secret);
    expect(written).not.toContain(JSON.stringify(probe.secret).slice(1, -1));

    const replay = play(cassette, { redact });
    const played = await readPieces(await replay(...requestOf(probe)));
    const whole = Buffer.concat(played).toString("latin1");
    expect(whole).not.toContain(probe.secret);
    expect(joinDeltas(whole)).not.toContain(probe.secret);
    expect(played.length).toBeLessThanOrEqual(piecesOf(probe).length);
    await replay.done();
  });

  test("replays with another key than it was recorded with", async () => {
    const cassette = join(await makeDirectory(), "keys.jsonl");
    const live = record({ cassette, fetch: async () => new Response("ok") });
    await live(...askWith("first-key-0001"));
    await live.done();
    expect((await play(cassette)(...askWith("second-key-0002"))).ok).toBe(true);
  });

  test("a secret said in pieces matches when the client sends it back whole", async () => {
    const cassette = join(await makeDirectory(), "echo.jsonl");
    const pieces = ["key ", ...split(secrets.openai, 11)].map(
      (text) => `data: ${JSON.stringify({ delta: { text } })}\n\n`,
    );
    const live = record({ cassette, fetch: async () => new Response(streamOf(pieces)) });
    expect(await talk(live)).toBe(`key ${secrets.openai}`);
    await live.done();
    const replay = play(cassette);
    expect(await talk(replay)).toBe("key REDACTED");
    await replay.done();
  });

  test("F-V1 fails closed: a surviving secret deletes the recording and throws", async () => {
    const directory = await makeDirectory();
    const cassette = join(directory, "open.jsonl");
    const good = record({ cassette, fetch: async () => new Response("fine") });
    await good(url);
    await good.done();
    const before = await readFile(cassette, "utf8");

    const answer = { name: "", secret: "", pieces: ["say ", ...split(secrets.anthropic, 9)] };
    const bad = record({ cassette, redact: false, fetch: serve(answer) });
    await readPieces(await bad(url));
    const failure = await bad.done().then(
      () => "",
      (error: unknown) => String(error),
    );
    expect(failure).toContain("Anthropic key");
    expect(failure).not.toContain(secrets.anthropic);
    expect(await readFile(cassette, "utf8")).toBe(before);
    expect(await readdir(directory)).toEqual(["open.jsonl"]);
  });

  test("F-V1 fails closed: a key that only a later request reveals", async () => {
    const directory = await makeDirectory();
    const live = record({
      cassette: join(directory, "late.jsonl"),
      fetch: async () => new Response(`echo ${secrets.opaque}`),
    });
    await (await live(url)).text();
    await (await live(url, { headers: { "x-api-key": secrets.opaque } })).text();
    await expect(live.done()).rejects.toMatchObject({ code: "secret" });
    expect(await readdir(directory)).toEqual([]);
  });
});
