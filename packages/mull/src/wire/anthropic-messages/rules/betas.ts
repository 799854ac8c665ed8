/**
 * Betas of the service, one line a name with the dates of its versions. Some are given to one
 * product only, so a name that is missing here may exist.
 */
const versions = `advanced-tool-use 2025-11-20
advisor-tool 2026-03-01
agent-memory 2026-07-22
cache-diagnosis 2026-04-07
claude-code 2025-02-19
code-execution 2025-05-22 2025-08-25
code-execution-web-tools 2026-02-09
compact 2026-01-12 2026-09-04
computer-use 2024-10-22 2025-01-24 2025-11-24
context-1m 2025-08-07
context-management 2025-06-27
dev-full-thinking 2025-05-14
effort 2025-11-24
extended-cache-ttl 2025-04-11
fallback-credit 2026-06-01 2026-07-01
fast-mode 2026-02-01
files-api 2025-04-14
fine-grained-tool-streaming 2025-05-14
inline-tools 2026-09-15
interleaved-thinking 2025-05-14
mcp-client 2025-04-04 2025-11-20 2026-09-15
message-batches 2024-09-24
message-threads 2026-08-12
mid-conversation-output-config 2026-07-01
mid-conversation-system 2026-04-07
mid-conversation-system-clear-at 2026-08-21
mid-conversation-tool-changes 2026-07-01
model-context-window-exceeded 2025-08-26
output-128k 2025-02-19
output-300k 2026-03-24
pdfs 2024-09-25
per-turn-control 2026-07-01
prompt-caching 2024-07-31
server-side-fallback 2026-06-01 2026-07-01
skills 2025-10-02
structured-outputs 2025-11-13 2025-12-15
task-budgets 2026-03-13
thinking-binding-controls 2026-08-01
thinking-display-updates 2026-08-18
thinking-token-count 2026-05-13
token-counting 2024-11-01
token-efficient-tools 2025-02-19
user-profiles 2026-03-24 2026-08-18 2026-09-04
user-profiles-billing 2026-10-01
web-fetch 2025-09-10`;

/** The name and the date of a beta, and the dates its name is known with. */
function readBeta(beta: string): { name: string; asked: string; known: readonly string[] } {
  const [, name = "", ...date] = /^(.+)-(\d{4})-?(\d{2})-?(\d{2})$/.exec(beta) ?? [];
  const line = versions.split("\n").find((each) => each.startsWith(`${name} `));
  return { name, asked: date.join("-"), known: line?.split(" ").slice(1) ?? [] };
}

/**
 * Whether the service cannot know a beta. Every name ends in a date (`claude-code-20250219` too), and a known
 * name gets no new version that is older than its latest. It may get a later one.
 */
export function isStrangeBeta(beta: string): boolean {
  const { name, asked, known } = readBeta(beta);
  return name === "" || (!known.includes(asked) && asked < (known.at(-1) ?? ""));
}

/** Whether one of the betas may bring fields that are unknown here. */
export const hasUnknownBeta = (betas: readonly string[]): boolean =>
  betas.some((beta) => {
    const { name, asked, known } = readBeta(beta);
    return name !== "" && !known.includes(asked);
  });
