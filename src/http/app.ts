import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Caller } from "./auth/caller.ts";
import type { RouteScope } from "./auth/scopes.ts";
import type { ProblemTable } from "./problems/problem.ts";

/** The server as modules see it: schemas are zod, and what they say is what handlers get. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What a module brings to the server. */
export interface RouteModule {
  readonly name: string;
  /** The codes this module's answers may carry, for the reference page. */
  readonly problems?: ProblemTable;
  routes(app: App): void | Promise<void>;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route. Required for every route below `/api/v1`. */
    scope?: RouteScope;
    /** Called so often by machines that its log line is written at `debug`. */
    quiet?: boolean;
  }
  interface FastifyRequest {
    /** Who is calling; null on public routes and outside `/api/v1`. */
    caller: Caller | null;
  }
}
