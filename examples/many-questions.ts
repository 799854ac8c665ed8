import { emulate } from "@mull/emulator";
import { Agent, createBudget, isMullError } from "mull";

const fetch = emulate();
const budget = createBudget({ dollars: 0.25 }); // for all questions together
const questions = Array.from({ length: 500 }, (_, index) => `What is ${index} * 47?`);

const answers = new Map<string, string>();
const waiting = questions.values();
let isSpent = false;

/** Takes one question after another. Eight of these run at the same time. */
async function work(): Promise<void> {
  for (const question of waiting) {
    if (isSpent) return;
    const agent = new Agent("claude-haiku-5-5/none", {
      fetch,
      apiKey: "simulated",
      budget,
      maxOutputTokens: 200,
    });
    try {
      answers.set(question, (await agent.send(question)).text);
    } catch (error) {
      if (!isMullError(error) || error.code !== "budget") throw error;
      isSpent = true; // the next question could cost more than is left
    }
  }
}
await Promise.all(Array.from({ length: 8 }, work));

const { dollars, steps } = budget.spent();
console.log(`${answers.size} of ${questions.length} answered`);
console.log(
  `$${dollars.toFixed(4)} for ${steps} requests: ${dollars <= 0.25 ? "within" : "above"} budget`,
);
