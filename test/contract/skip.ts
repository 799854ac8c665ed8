import { describe } from "vitest";

type Environment = Readonly<Record<string, string | undefined>>;

/** Either turns the contract suites off; the second is the name in the documents. */
export const skipVariables = [
  "MULL_SKIP_CONTRACT_VALIDATION",
  "IK_SKIP_CONTRACT_VALIDATION",
] as const;

export const isContractSkipped = (env: Environment): boolean =>
  skipVariables.some((name) => env[name] === "1");

const line = "!".repeat(78);

/** Nobody shall take a run without the suites for one with them. */
export const skipWarning: string = [
  line,
  "!!  CONTRACT VALIDATION IS SKIPPED",
  `!!  ${skipVariables.join(" or ")} is set to 1.`,
  "!!  Nothing says that requests and answers still fit what the services expect.",
  line,
].join("\n");

const isSkipped = isContractSkipped(process.env);
if (isSkipped) console.warn(skipWarning);

/** A contract suite: a `describe` that can be switched off, never silently. */
export const contract = isSkipped ? describe.skip : describe;
