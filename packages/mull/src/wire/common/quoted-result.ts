/** The tool behind a quoted result, as far as it is known. */
export interface QuotedTool {
  readonly name?: string | undefined;
  readonly callId?: string | undefined;
  readonly failed?: boolean;
}

const namedTool = ({ name, callId }: QuotedTool): string => {
  if (name) return `The tool ${name}`;
  return callId ? `The tool behind call ${callId}` : "A tool";
};

/**
 * A tool's result as words of the user. A result whose call is gone is refused everywhere, and what
 * a tool returned is never left out: the model may have acted on it.
 */
export const quoteResult = (tool: QuotedTool, output: string): string => {
  const verb = tool.failed ? "failed" : "returned";
  return /\S/.test(output)
    ? `${namedTool(tool)} ${verb}:\n"""\n${output}\n"""`
    : `${namedTool(tool)} ${verb} with no output.`;
};
