import { readFile } from "node:fs/promises";
import { join } from "node:path";

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { expect, test } from "vitest";

import type { Fetch } from "./fetch.ts";
import { play } from "./play.ts";
import { record } from "./record.ts";
import { makeDirectory } from "./testing/loopback.ts";

const address = "https://files.example.test";
const uploadUrl = `${address}/upload/v1beta/files?upload_id=AbC-0paque&upload_protocol=resumable`;
const content = "Two and two is four.";
const meta = { id: "file_1", type: "file", filename: "a.txt", name: "files/one", uri: "x" };

/** Google's uploads take two steps: the first answer names the place of the second in a header. */
const service: Fetch = async (input) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.includes("/upload/")) return Response.json(meta);
  const isFirst = !url.includes("upload_id");
  return Response.json(isFirst ? {} : { file: meta }, {
    headers: isFirst ? { "x-goog-upload-url": uploadUrl } : { "x-goog-upload-status": "final" },
  });
};

const textFile = (text: string): File => new File([text], "a.txt", { type: "text/plain" });

type Upload = (fetch: Fetch, file: File) => Promise<string | undefined>;

const uploads: readonly { readonly name: string; readonly upload: Upload }[] = [
  {
    name: "@anthropic-ai/sdk",
    upload: async (fetch, file) => {
      const client = new Anthropic({ apiKey: "k", baseURL: address, fetch, maxRetries: 0 });
      return (await client.files.upload({ file })).id;
    },
  },
  {
    name: "openai",
    upload: async (fetch, file) => {
      const client = new OpenAI({ apiKey: "k", baseURL: address, fetch, maxRetries: 0 });
      return (await client.files.create({ file, purpose: "user_data" })).id;
    },
  },
  {
    name: "@google/genai",
    upload: async (fetch, file) => {
      const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: address, fetch } });
      return (await client.files.upload({ file, config: { mimeType: "text/plain" } })).name;
    },
  },
];

test.each(uploads)("F-V4 a file uploaded by $name is uploaded again", async ({ upload }) => {
  const cassette = join(await makeDirectory(), "upload.jsonl");
  const live = record({ cassette, fetch: service });
  const id = await upload(live, textFile(content));
  await live.done();
  expect(["file_1", "files/one"]).toContain(id);
  expect(await readFile(cassette, "utf8")).not.toContain("0paque");

  const replay = play(cassette);
  expect(await upload(replay, textFile(content))).toBe(id);
  await replay.done();
  const other = play(cassette);
  await expect(upload(other, textFile("Something else."))).rejects.toBeInstanceOf(Error);
  await expect(other.done()).rejects.toMatchObject({ code: "no-match" });
});
