import type { ByteReader } from "./answer.ts";
import type { Schedule } from "./deadline.ts";

const maxBytes = 64 * 1024;

export const cancelReader = (reader: ByteReader): void =>
  void reader.cancel().catch(() => undefined);

/**
 * Reads at most 64 KB for at most `ms` and cancels the rest. Only a body that was read to its end
 * leaves a connection that can be used again, and one that is never read keeps its socket.
 */
export async function readBriefly(
  reader: ByteReader,
  ms: number,
  schedule: Schedule,
): Promise<string> {
  const cancelTimer = schedule(() => cancelReader(reader), ms);
  let decoder: TextDecoder | undefined;
  let text = "";
  let isWhole = false;
  try {
    for (let left = maxBytes; left > 0;) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (done) break;
      decoder ??= new TextDecoder();
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
  } catch {
    // What came before it broke is worth having.
  }
  cancelTimer();
  if (!isWhole) cancelReader(reader);
  return text;
}
