import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Caller } from "./auth/caller.ts";
import type { RouteScope } from "./auth/scopes.ts";
import type { ProblemTable } from "./problems/problem.ts";

/** The Fastify server for modules: schemas are zod, and handlers get values of their types. */
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
  /** The problem codes of this module, for the reference page. */
  readonly problems?: ProblemTable;
  routes(app: App): void | Promise<void>;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route. Required for every route below `/api/v1`. */
    scope?: RouteScope;
    /**
     * What the route is about. `workspace`: the handler finds the workspace and calls `requireWorkspace`, or shows what no workspace
     * owns. `caller`: the operator's own session, which needs no scope. Unless given, the whole installation.
     */
    about?: "workspace" | "caller" | "installation";
    /** Open to an operator who must have a second factor and has none yet. */
    beforeSecondFactor?: boolean;
    /** The route takes files, which may take long to come. */
    slowBody?: boolean;
    /** Set for routes that machines call often: they are logged at `debug`. */
    quiet?: boolean;
  }
  interface FastifyRequest {
    /** Null on public routes and outside `/api/v1`. */
    caller: Caller | null;
  }
}
