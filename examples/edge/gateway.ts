import { createGateway } from "@mull/gateway";

// It keeps nothing between requests, so each request may make its own.
export default {
  fetch: (request: Request, env: Record<string, string>): Promise<Response> =>
    createGateway({
      secret: env["MULL_GATEWAY_SECRET"] ?? "",
      env,
      model: "gpt-6-sol/high",
    }).fetch(request),
};
