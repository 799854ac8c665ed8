import type { RuleInput } from "../../../types/rule.ts";
import type { RuleDraft } from "./define-rule.ts";

const request =
  /\b(?:show|write out|explain|output|print) (?:me )?(?:all )?your (?:full |whole |complete |internal )?(?:reasoning|thinking|thought process|chain of thought)\b|\bthink step[- ]by[- ]step\b/i;

/** Below this many tokens thinking often leaves nothing for the answer. */
const tightCap = 1024;

/** Advice on a small cap: `room` is what the thinking leaves of it, absent if nothing thinks. */
export const adviseOnCap = (
  field: string,
  path: string,
  read: (input: RuleInput) => { readonly cap: unknown; readonly room?: number } | undefined,
): RuleDraft => ({
  severity: "advice",
  summary: `A small \`${field}\` may be spent on thinking alone.`,
  fix: "Allow a few thousand tokens, or turn thinking down.",
  find: (input) => {
    const { cap, room = cap } = read(input) ?? {};
    const isTight = typeof room === "number" && room < tightCap;
    const message = `Thinking and answer share ${String(cap)} tokens; the answer may come back empty, but is billed anyway.`;
    return isTight && { path, message };
  },
});

type Texts = (
  input: RuleInput,
) => readonly { readonly path: string; readonly text: unknown }[] | false;

const holding = (texts: ReturnType<Texts>, pattern: RegExp): readonly { path: string }[] =>
  (texts || []).filter(({ text }) => typeof text === "string" && pattern.test(text));

/** Advice on an answer of the history that holds thinking as plain text. */
export const adviseOnTags = (form: string, answers: Texts): RuleDraft => ({
  severity: "advice",
  summary: `Thinking goes back ${form}, not as tags in the answer's text.`,
  fix: "Send thinking back as the service gave it, or leave it out.",
  find: (input) =>
    holding(answers(input), /<think(?:ing)?>/).map(({ path }) => ({
      path,
      message: "The answer holds thinking as plain text; the model takes it for its own words.",
    })),
});

/** Advice on a prompt that asks the model to write out what it thinks, which it does by itself. */
export const adviseOnAsking = (texts: Texts): RuleDraft => ({
  severity: "advice",
  summary: "You don't have to ask a model that thinks to write down its reasoning.",
  fix: "Ask for the answer alone, and for a summary of the thinking by its setting.",
  find: (input) =>
    holding(texts(input), request)
      .slice(-1)
      .map(({ path }) => ({
        path,
        message:
          "The prompt asks for the reasoning in writing; this model thinks by itself, and writes it twice.",
      })),
});
