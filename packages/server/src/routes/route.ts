import type { Answer } from "../http/answer.ts";
import type { Asked } from "../http/asked.ts";
import type { Read, Shape } from "../http/shape.ts";
import type { User } from "../accounts/accounts.ts";
import type { ServerContext } from "../context.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

type Fields = Readonly<Record<string, Shape<unknown>>>;
type ObjectShape<F extends Fields> = Shape<Read<F>> & { readonly fields: F };

/** One request, read and checked. */
export interface Call<B, Q> {
  readonly context: ServerContext;
  readonly request: Asked;
  readonly url: URL;
  /** Segments of the path. Conversation ids are already the caller's own. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: B;
  readonly query: Q;
  /** Where the connection comes from. */
  readonly address: string;
}

export interface UserCall<B, Q> extends Call<B, Q> {
  readonly user: User;
}

interface RouteFacts<B, Q> {
  readonly method: Method;
  /** `:name` stands for one segment. */
  readonly path: string;
  /** Closed: fields that are not listed are refused. */
  readonly body?: B;
  readonly query?: Q;
  /** What it is for, in one sentence. */
  readonly summary: string;
}

type AnyShape = Shape<unknown> & { readonly fields: Fields };

export interface Route extends RouteFacts<AnyShape, AnyShape> {
  readonly access: "public" | "user";
  readonly handle: (call: UserCall<never, never>) => Promise<Answer> | Answer;
}

/** Anybody may call it. */
export const publicRoute = <B extends Fields, Q extends Fields>(
  route: RouteFacts<ObjectShape<B>, ObjectShape<Q>> & {
    readonly handle: (call: Call<Read<B>, Read<Q>>) => Promise<Answer> | Answer;
  },
): Route => ({ ...route, access: "public" });

/** Only somebody who is signed in, and only on what is theirs. */
export const userRoute = <B extends Fields, Q extends Fields>(
  route: RouteFacts<ObjectShape<B>, ObjectShape<Q>> & {
    readonly handle: (call: UserCall<Read<B>, Read<Q>>) => Promise<Answer> | Answer;
  },
): Route => ({ ...route, access: "user" });
