import { isMullError } from "mull";
import { json } from "../http/respond.ts";
import { publicRoute, type Route } from "./route.ts";

export const serverRoutes: readonly Route[] = [
  publicRoute({
    method: "GET",
    path: "/health",
    summary: "Whether the process lives, and how its store is.",
    handle: async ({ context }) => {
      const store = await storeState(context);
      return json({ status: store === "ok" ? "ok" : "degraded", store });
    },
  }),
  publicRoute({
    method: "GET",
    path: "/ready",
    summary: "200 when new turns are taken, 503 otherwise.",
    handle: async ({ context }) => {
      const store = await storeState(context);
      const isReady = store === "ok" && !context.state.isLeaving;
      return json(
        { ready: isReady, store, draining: context.state.isLeaving },
        isReady ? 200 : 503,
      );
    },
  }),
  publicRoute({
    method: "GET",
    path: "/metrics",
    summary: "Counters for Prometheus.",
    handle: ({ context }) =>
      new Response(context.metrics.write(), {
        headers: { "content-type": "text/plain; version=0.0.4" },
      }),
  }),
];

type HealthCall = Parameters<Route["handle"]>[0];

async function storeState({ state, store }: HealthCall["context"]): Promise<string> {
  if (!state.isOpen) return "opening";
  try {
    await (await store()).check();
    return "ok";
  } catch (error) {
    return isMullError(error) && error.code === "busy" ? "busy" : "unavailable";
  }
}
