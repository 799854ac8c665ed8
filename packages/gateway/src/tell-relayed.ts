import { MullError, planThinking } from "mull";
import type { ChatTarget, Observation, Observe } from "mull";

import type { ClientCall } from "./client-call.ts";
import { readDial } from "./client-dial.ts";
import type { GatewayReceipt } from "./receipt.ts";
import { readRequest } from "./translate.ts";

type Happened = Observation extends infer Each
  ? Each extends Observation
    ? Omit<Each, "at" | "requestId">
    : never
  : never;

/**
 * Tells an observer of a request that passed through, when it is over: the library did not send it,
 * and while it runs nothing of it is read.
 */
export function tellRelayed(
  observe: Observe,
  call: ClientCall,
  { provider, model }: ChatTarget,
  endpoint: string,
  receipt: GatewayReceipt,
): void {
  const { startedAt, firstMs, totalMs, repairs, usage, cost, error, upstreamRequestId } = receipt;
  const request = readRequest(call);
  const { level, thinkingBudget } = readDial(request, call.wire, { provider, model });
  const plan = planThinking({
    model,
    wire: provider.wire.id,
    ...(level !== undefined && { level }),
    ...(thinkingBudget !== undefined && { thinkingBudget }),
  });
  const tell = (ms: number, happened: Happened): void => {
    // Errors that an observer throws must not break the request.
    void (async () => observe({ ...happened, at: startedAt + ms, requestId: receipt.id }))().catch(
      () => undefined,
    );
  };
  tell(0, { type: "composed", plan, request, notes: [], endpoint });
  for (const repair of repairs) tell(0, { type: "repair", repair });
  tell(0, { type: "sent", attempt: 1 });
  if (firstMs !== undefined) tell(firstMs, { type: "first-byte" });
  tell(totalMs, {
    type: "end",
    receipt: {
      plan,
      sent: {},
      withheld: [],
      changes: [],
      repairs,
      attempts: [{ status: receipt.status }],
      notes: [],
      ...(usage !== undefined && { usage }),
      ...(cost !== undefined && { cost }),
      ...(upstreamRequestId !== undefined && { requestId: upstreamRequestId }),
    },
    ...(error !== undefined && { error: errorOf(error) }),
  });
}

const errorOf = ({ message, category, code }: NonNullable<GatewayReceipt["error"]>): MullError =>
  new MullError(message, {
    category: category as MullError["category"],
    ...(code !== undefined && { code }),
  });
