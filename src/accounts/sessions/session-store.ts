import type { SessionStore } from "../../platforms/index.ts";
import { createLeases } from "./leases.ts";
import { sessionValues, type ValuesDeps } from "./values.ts";

/** Sessions of accounts in PostgreSQL: sealed, and open in one process at a time. */
export function createSessionStore(deps: ValuesDeps): SessionStore {
  return {
    values: (account) => sessionValues(deps, account),
    leases: (holder, leaseMs) => createLeases(deps.sql, holder, leaseMs),
  };
}
