import { anthropic } from "./anthropic.ts";
import { deepseek } from "./deepseek.ts";
import { google } from "./google.ts";
import { groq } from "./groq.ts";
import { minimax } from "./minimax.ts";
import { mistral } from "./mistral.ts";
import { moonshot } from "./moonshot.ts";
import { openai } from "./openai.ts";
import { qwen } from "./qwen.ts";
import type { Vendor } from "./vendor.ts";
import { xai } from "./xai.ts";
import { zai } from "./zai.ts";

/** Vendors that own model names. A name belongs to the first that knows it. */
export const makers: readonly Vendor[] = [
  anthropic,
  openai,
  google,
  deepseek,
  xai,
  zai,
  qwen,
  moonshot,
  minimax,
  mistral,
  groq,
];
