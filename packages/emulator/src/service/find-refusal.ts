import type { Finding, JsonObject } from "mull";
import type { RuleInput } from "mull/rules";

import { invalidRequest, type ServiceExchange, type Refusal, type Service } from "./service.ts";

export interface Judgement {
  readonly refusal?: Refusal;
  readonly warnings: readonly string[];
}

const refusalOf = (finding: Finding): Refusal =>
  finding.answer === undefined
    ? invalidRequest(finding.rule, finding.message)
    : { rule: finding.rule, error: finding.answer };

/** Stored turns are filled in here, so the rules see the whole conversation. */
const judgedBody = ({ body, world }: ServiceExchange): JsonObject => {
  const { previous_response_id: previous, ...whole } = body;
  return typeof previous === "string" && world.responses.has(previous) ? whole : body;
};

/** Called between two pieces of work; resolves when others have had their turn. */
export type Rest = () => Promise<void> | undefined;

/** Runs the checks that only the emulator can make, then every rule of the service, in order. */
export const findRefusal = async (
  service: Service,
  exchange: ServiceExchange,
  rest: Rest,
): Promise<Judgement> => {
  const known = service.check?.(exchange);
  if (known !== undefined) return { refusal: known, warnings: [] };
  const input: RuleInput = {
    wire: service.wire,
    model: exchange.model,
    path: exchange.path,
    headers: exchange.headers,
    body: judgedBody(exchange),
    verifySeal: service.verifySeal(exchange),
  };
  const warnings: string[] = [];
  const takesAnyModel = exchange.world.options.unknownModels === "accept";
  for (const rule of service.rules) {
    await rest();
    for (const finding of rule.check(input)) {
      if (finding.severity === "advice") continue;
      if (finding.severity === "warning") {
        warnings.push(`${finding.rule}: ${finding.message}`);
        continue;
      }
      if (takesAnyModel && finding.answer?.status === 404) continue;
      return { refusal: refusalOf(finding), warnings };
    }
  }
  return { warnings };
};
