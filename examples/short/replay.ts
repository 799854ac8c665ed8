import { vcr } from "@mull/vcr";
import { Agent } from "mull";

const fetch = vcr("primes"); // VCR_RECORD=1 asks the service and writes; otherwise the file answers
const apiKey = process.env["OPENAI_API_KEY"] ?? "replayed";
const agent = new Agent("gpt-6-sol/low", { fetch, apiKey });
console.log((await agent.send("What are the first ten primes?")).text);
await fetch.done();
