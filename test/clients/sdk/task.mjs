// What every SDK program here does: one question, two tools, one answer. argv: MODEL TASK QUESTION.
import { readFileSync } from "node:fs";

export const [model, task, question] = process.argv.slice(2);

export const tools = [
  { name: "first_number", description: "Gives the first number.", result: "It is 19." },
  { name: "second_number", description: "Gives the second number.", result: "It is 23." },
];
export const parameters = { type: "object", properties: {}, additionalProperties: false };
export const resultOf = (name) =>
  tools.find((tool) => tool.name === name)?.result ?? "no such tool";

export const imageData = () => readFileSync("dot.png").toString("base64");

/** Ends a stream from our side as soon as something of it has come. */
export const leaving = new AbortController();
export const arrived = (text) => {
  if (!text) return;
  process.stdout.write(text);
  if (task === "cancel") {
    console.log("\nleft");
    leaving.abort();
    setTimeout(() => process.exit(0), 500);
  }
};

/** At most five steps: a loop that does not end is a failure. */
export async function loop(step) {
  for (let count = 0; count < 5; count++) if (await step()) return;
  throw new Error("the loop did not end");
}
