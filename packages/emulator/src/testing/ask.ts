import type { JsonObject, JsonValue } from "mull";

import type { Emulator } from "../emulate.ts";

export type WireName = "anthropic" | "responses" | "chat" | "google";

/** Status, error text and body of one answer. */
export interface Answered {
  readonly status: number;
  readonly message: string;
  readonly body: JsonObject;
}

const paths: Readonly<Record<Exclude<WireName, "google">, string>> = {
  anthropic: "/v1/messages",
  responses: "/v1/responses",
  chat: "/v1/chat/completions",
};

const keys: Readonly<Record<WireName, Readonly<Record<string, string>>>> = {
  anthropic: { "x-api-key": "emulated", "anthropic-version": "2023-06-01" },
  responses: { authorization: "Bearer emulated" },
  chat: { authorization: "Bearer emulated" },
  google: { "x-goog-api-key": "emulated" },
};

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

const urlOf = (wire: WireName, body: JsonObject): string =>
  `http://emulated${
    wire === "google" ? `/v1beta/models/${textOf(body["model"])}:generateContent` : paths[wire]
  }`;

/** Asks an emulator on a wire; Google's model is taken out of the body into the path. */
export const ask = async (
  emulator: Emulator,
  wire: WireName,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> => {
  const { model, ...rest } = body;
  const response = await emulator(urlOf(wire, body), {
    method: "POST",
    headers: { "content-type": "application/json", ...keys[wire], ...headers },
    body: JSON.stringify(wire === "google" ? rest : { model, ...rest }),
  });
  const answer = (await response.json()) as JsonObject & {
    readonly error?: { readonly message?: string } | null;
  };
  return { status: response.status, message: answer.error?.message ?? "", body: answer };
};
