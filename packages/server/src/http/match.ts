import type { Route } from "../routes/route.ts";

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path, or the methods that the path allows. */
export interface Matcher {
  readonly find: (method: string, path: string) => Match | readonly string[];
}

export function createMatcher(routes: readonly Route[]): Matcher {
  const table = routes.map((route) => ({ route, segments: route.path.split("/") }));
  return {
    find(method, path) {
      const given = path.split("/");
      const others: string[] = [];
      for (const { route, segments } of table) {
        const params = fit(segments, given);
        if (params === undefined) continue;
        if (route.method === method) return { route, params };
        others.push(route.method);
      }
      return others;
    },
  };
}

function fit(
  segments: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (segments.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index]!;
    if (!segment.startsWith(":")) {
      if (segment !== value) return undefined;
    } else if (value === "") return undefined;
    else params[segment.slice(1)] = value;
  }
  return params;
}
