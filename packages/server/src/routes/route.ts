import type { Answer } from "../http/answer.ts";
import type { RequestedUrl } from "../http/asked.ts";
import type { ReadShape, Shape } from "../http/shape.ts";
import type { User } from "../accounts/accounts.ts";
import type { ServerContext } from "../context.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

type RouteFields = Readonly<Record<string, Shape<unknown>>>;
type ObjectShape<F extends RouteFields> = Shape<ReadShape<F>> & { readonly fields: F };

/** One request, read and checked. */
export interface RouteCall<B, Q> {
  readonly context: ServerContext;
  readonly request: RequestedUrl;
  readonly url: URL;
  /** Segments of the path. A conversation id in it already belongs to the caller. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: B;
  readonly query: Q;
  /** Where the connection comes from. */
  readonly address: string;
}

export interface UserCall<B, Q> extends RouteCall<B, Q> {
  readonly user: User;
}

interface RouteFacts<B, Q> {
  readonly method: Method;
  /** `:name` stands for one segment. */
  readonly path: string;
  /** Closed: refuses fields that aren't listed. */
  readonly body?: B;
  readonly query?: Q;
  /** What the route is for, in one sentence. */
  readonly summary: string;
}

type AnyShape = Shape<unknown> & { readonly fields: RouteFields };

export interface Route extends RouteFacts<AnyShape, AnyShape> {
  readonly access: "public" | "user";
  readonly handle: (call: UserCall<never, never>) => Promise<Answer> | Answer;
}

/** Anyone may call it. */
export const publicRoute = <B extends RouteFields, Q extends RouteFields>(
  route: RouteFacts<ObjectShape<B>, ObjectShape<Q>> & {
    readonly handle: (call: RouteCall<ReadShape<B>, ReadShape<Q>>) => Promise<Answer> | Answer;
  },
): Route => ({ ...route, access: "public" });

/** Only for signed-in users, and only on their own data. */
export const userRoute = <B extends RouteFields, Q extends RouteFields>(
  route: RouteFacts<ObjectShape<B>, ObjectShape<Q>> & {
    readonly handle: (call: UserCall<ReadShape<B>, ReadShape<Q>>) => Promise<Answer> | Answer;
  },
): Route => ({ ...route, access: "user" });
