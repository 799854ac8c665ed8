import { emulate } from "@mull/emulator";
import { readExchange } from "mull/wire";
import { describe, expect, test } from "vitest";

import { createGateway, type GatewayReceipt } from "./index.ts";
import { keys, question, testWires } from "./testing/wires.ts";

const pairs = testWires.flatMap((client) => testWires.map((service) => ({ client, service })));

describe("every client reaches every model", () => {
  test.each(pairs.flatMap((pair) => [true, false].map((stream) => ({ ...pair, stream }))))(
    "$client.wire asks $service.model, stream: $stream",
    async ({ client, service, stream }) => {
      const receipts: GatewayReceipt[] = [];
      const gateway = createGateway({
        secret: "a secret of this test",
        env: keys,
        fetch: emulate(),
        onRequest: (receipt) => receipts.push(receipt),
      });
      const response = await gateway.fetch(
        question(client.wire, service.model, "What is 12 * 12?", stream),
      );
      const body = await response.text();
      expect({ status: response.status, body }).toMatchObject({ status: 200 });
      const reply = readExchange({ wire: client.wire, body, stream });
      expect(JSON.stringify(reply.message.parts)).toContain("144");
      expect(reply.finish.reason).toBe("stop");
      expect(reply.usage.output).toBeGreaterThan(0);
      expect(receipts).toMatchObject([
        {
          asked: service.model,
          model: service.model,
          // OpenAI's models answer on both of its wires.
          lane:
            client.wire === service.wire ||
            (client.wire === "openai-chat" && service.wire === "openai-responses")
              ? "pass"
              : "translate",
          status: 200,
          stream,
        },
      ]);
      expect(receipts[0]?.usage?.output).toBeGreaterThan(0);
    },
  );
});
