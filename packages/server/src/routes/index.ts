import { accountRoutes } from "./account.ts";
import { chatRoutes } from "./chat.ts";
import { compareRoutes } from "./compare.ts";
import { contentRoutes } from "./contents.ts";
import { countRoutes } from "./count.ts";
import { conversationRoutes } from "./conversations.ts";
import { copyRoutes } from "./copies.ts";
import { keyRoutes } from "./keys.ts";
import { modelRoutes } from "./models.ts";
import { preferenceRoutes } from "./preferences.ts";
import type { Route } from "./route.ts";
import { serverRoutes } from "./server.ts";

/** Every route of the server. Tests of ownership, origin and bad input are generated from it. */
export const routes: readonly Route[] = [
  ...serverRoutes,
  ...accountRoutes,
  ...conversationRoutes,
  ...copyRoutes,
  ...contentRoutes,
  ...chatRoutes,
  ...compareRoutes,
  ...countRoutes,
  ...modelRoutes,
  ...keyRoutes,
  ...preferenceRoutes,
];
