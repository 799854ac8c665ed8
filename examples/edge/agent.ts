import { Agent } from "mull";

// The platform passes its secrets as `env`: there may be no `process.env`.
export default {
  async fetch(request: Request, env: Record<string, string>): Promise<Response> {
    const agent = new Agent("claude-opus-5-5/low", { env });
    const { text } = await agent.send(await request.text());
    return new Response(text);
  },
};
