import { MullError, type UserMessage, type UserPart } from "mull";
import { badRequest, text } from "../http/shape.ts";

const longestText = 1_000_000;
const words = text({ max: longestText });
const mediaType = text({
  min: 3,
  max: 100,
  pattern: /^[\w.+-]+\/[\w.+-]+$/,
  words: "a media type such as image/png",
});
const fileName = text({ max: 255 });

type QuestionFields = Readonly<Record<string, unknown>>;

/**
 * Reads a question from a UI message, field by field, and drops everything else that a client adds.
 * Files come as data: with an address, the service would fetch it with our key, or from our
 * network.
 */
export function readQuestion(message: QuestionFields): UserMessage {
  if (message["role"] !== "user") throw badRequest("message.role", "user");
  const parts = message["parts"];
  if (!Array.isArray(parts) || parts.length > 100) {
    throw badRequest("message.parts", "a list of at most 100 parts");
  }
  const read = parts.flatMap((part: unknown, index) => readPart(part, `message.parts[${index}]`));
  if (!read.some((part) => part.type !== "text" || part.text.trim() !== "")) {
    throw badRequest("message.parts", "a text or a file");
  }
  return { role: "user", parts: read };
}

function readPart(part: unknown, field: string): readonly UserPart[] {
  if (typeof part !== "object" || part === null) throw badRequest(field, "a part");
  const given = part as QuestionFields;
  if (given["type"] === "text") {
    const said = given["text"];
    // The person pasted this, so the error doesn't talk about fields.
    if (typeof said === "string" && said.length > longestText) throw tooLong(said.length, field);
    return [{ type: "text", text: words.read(said, `${field}.text`) }];
  }
  if (given["type"] !== "file") throw badRequest(`${field}.type`, "text or file");
  const name = given["filename"];
  return [
    {
      type: "file",
      mediaType: mediaType.read(given["mediaType"], `${field}.mediaType`),
      source: { type: "base64", data: readData(given["url"], `${field}.url`) },
      ...(name !== undefined && { name: fileName.read(name, `${field}.filename`) }),
    },
  ];
}

const tooLong = (length: number, field: string): MullError => {
  const [has, most] = [length, longestText].map((count) => count.toLocaleString("en-US"));
  return new MullError(
    `The message has ${has} characters; ${most} is the most. Shorten it, or ask in parts.`,
    { category: "invalid_argument", status: 413, code: "message_too_long", field: `${field}.text` },
  );
};

function readData(url: unknown, field: string): string {
  const start = typeof url === "string" && url.startsWith("data:") ? url.indexOf(";base64,") : -1;
  if (typeof url !== "string" || start < 0 || start > 200) {
    throw badRequest(field, "a data: address in base64; other addresses are not fetched");
  }
  const data = url.slice(start + ";base64,".length);
  if (!/^[\w+/-]*={0,2}$/.test(data)) throw badRequest(field, "valid base64");
  return data;
}
