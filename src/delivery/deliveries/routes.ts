import type { App } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { listRoutes } from "./list-routes.ts";
import { manyRoute } from "./many-route.ts";
import { messagesRoute } from "./messages-route.ts";
import { operationsRoute } from "./operations-route.ts";
import { queueRoute } from "./queue-route.ts";
import type { Leases } from "./why.ts";

export interface DeliveriesDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  /** The leases that the processes use, if they are not the defaults. */
  readonly leases?: Leases | undefined;
}

/** Reads deliveries and messages, and operates on deliveries. */
export function deliveriesRoutes(app: App, deps: DeliveriesDeps): void {
  listRoutes(app, deps);
  messagesRoute(app, deps);
  operationsRoute(app, deps);
  manyRoute(app, deps);
  queueRoute(app, deps);
}
