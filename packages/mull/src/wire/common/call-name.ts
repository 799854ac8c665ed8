/**
 * A name that every service takes on a call of the conversation. A model may call a tool that nobody
 * declared, such as `functions.look`: when the call comes back, the request is refused for its name.
 */
export const fitCallName = (name: string): string =>
  name.replaceAll(/[^\w-]/g, "_").slice(0, 64) || "_";
