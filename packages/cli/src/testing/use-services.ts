import { script, type Action } from "@mull/emulator";
import { listen, type ListenOptions, type Listening } from "@mull/emulator/node";
import { afterEach } from "vitest";

interface Services {
  readonly open: (options?: ListenOptions) => Promise<Listening>;
  /** A service that plays these actions to every request, and the environment that leads to it. */
  readonly service: (...actions: readonly Action[]) => Promise<Record<string, string>>;
}

/** Services for the tests of a file; each ends with its test. */
export function useServices(): Services {
  const listening: Listening[] = [];
  afterEach(async () => {
    await Promise.all(listening.splice(0).map((server) => server.close()));
  });
  const open = async (options?: ListenOptions): Promise<Listening> => {
    const server = await listen(options);
    listening.push(server);
    return server;
  };
  return {
    open,
    service: async (...actions) => {
      const played = { ...script({}, actions), repeat: true };
      const { url } = await open({ scripts: [played], faults: "pace=4" });
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "loopback" };
    },
  };
}
