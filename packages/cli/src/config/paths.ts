import { join } from "node:path";

import type { Io } from "../frame/io.ts";

/** The folders that mull uses, by the XDG rules. */
export interface Paths {
  readonly projectConfig: string;
  readonly userConfig: string;
  readonly projectCredentials: string;
  readonly userCredentials: string;
  readonly conversations: string;
  /** What `mull run` makes for the programs it starts. */
  readonly programs: string;
}

export function pathsOf({ env, home, cwd }: Pick<Io, "env" | "home" | "cwd">): Paths {
  const config = join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "mull");
  const data = join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "mull");
  return {
    projectConfig: join(cwd, "mull.json"),
    userConfig: join(config, "config.json"),
    projectCredentials: join(cwd, "credentials.json"),
    userCredentials: join(config, "credentials.json"),
    conversations: join(data, "conversations"),
    programs: join(data, "programs"),
  };
}
