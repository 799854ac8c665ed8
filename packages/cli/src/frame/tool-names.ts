/** The tools the command brings along, by name: help needs no more of them. */
export const toolNames: readonly string[] = ["calculator", "searchWeb", "clock"];
