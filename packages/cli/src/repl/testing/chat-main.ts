/** A chat for tests that need a process of their own: `chat-main.ts [--plain] [-r NAME]`. */
import { loadSettings } from "../../config/settings.ts";
import { askOptions } from "../../commands.ts";
import { nodeIo } from "../../frame/node-io.ts";
import { parseOptions } from "../../frame/parse-options.ts";
import { startRepl } from "../index.ts";

const io = nodeIo();
const given = parseOptions(process.argv.slice(2), askOptions);
const resume = given.text("resume");
process.exitCode = await startRepl({
  io,
  settings: await loadSettings(given, io),
  ...(resume !== undefined && { resume }),
});
process.exit();
