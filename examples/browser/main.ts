import { emulate } from "@mull/emulator";
import { Agent } from "mull";

// npx vite examples/browser
// The key goes from this page to Anthropic and nowhere else; never ship one of your own in a page.
const byId = (id: string): HTMLElement => document.querySelector<HTMLElement>(`#${id}`)!;
const valueOf = (id: string): string => (byId(id) as HTMLInputElement).value;

async function ask(key: string, question: string): Promise<void> {
  const agent = new Agent(
    "claude-opus-5-5/med",
    key === ""
      ? { fetch: emulate(), apiKey: "simulated" }
      : { apiKey: key, headers: { "anthropic-dangerous-direct-browser-access": "true" } },
  );
  for (const id of ["thinking", "answer"]) byId(id).textContent = "";
  for await (const chunk of agent.sendStream(question)) {
    if (chunk.thinking) byId("thinking").append(chunk.thinking);
    if (chunk.text) byId("answer").append(chunk.text);
  }
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(valueOf("key"), valueOf("question")).catch((error: unknown) => {
    byId("answer").textContent = String(error);
  });
});
