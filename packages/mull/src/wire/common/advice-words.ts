const request =
  /\b(?:show|write out|explain|output|print) (?:me )?(?:all )?your (?:full |whole |complete |internal )?(?:reasoning|thinking|thought process|chain of thought)\b|\bthink step[- ]by[- ]step\b/i;

/** Whether a text asks the model to write out what it thinks, which a thinking model does by itself. */
export const asksForReasoning = (text: string): boolean => request.test(text);

/** Whether an answer in the history holds thinking as plain text. */
export const hasThinkingTags = (text: string): boolean => /<think(?:ing)?>/.test(text);

/** Below this many tokens thinking often leaves nothing for the answer. */
export const tightCap = 1024;

export const tightCapText = (cap: number): string =>
  `Thinking and answer share ${cap} tokens; the answer may come back empty, and is billed all the same.`;
export const tightCapFix = "Allow a few thousand tokens, or turn thinking down.";
export const asksText =
  "The prompt asks for the reasoning in writing; this model thinks by itself, and writes it twice.";
export const asksFix =
  "Ask for the answer alone, and for a summary of the thinking by its setting.";
export const tagsText =
  "The answer holds thinking as plain text; the model takes it for its own words.";
export const tagsFix = "Send thinking back as the service gave it, or leave it out.";
