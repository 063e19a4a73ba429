import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { isWithinAll } from "../networks.ts";
import { findApiTokenById } from "../operators/api-tokens.ts";
import { operatorOfSession } from "../operators/sessions.ts";
import type { Caller } from "./caller.ts";
import { scopesIn } from "./reach.ts";
import type { Scope } from "./scopes.ts";

interface Held {
  readonly scope: Scope;
  readonly workspaceId: string;
  /** The address that the caller came from. */
  readonly address: string;
}

/** Whether a caller who was let in would be let in again now: for answers that last. It neither extends a session nor counts as a use. */
export async function stillHolds(
  caller: Caller,
  { scope, workspaceId, address }: Held,
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
): Promise<boolean> {
  if (caller.kind === "token") {
    const token = await findApiTokenById(sql, { id: caller.id, clock });
    return (
      token !== undefined &&
      isWithinAll(token.reach, address) &&
      scopesIn({ kind: "token", ...token }, workspaceId).includes(scope)
    );
  }
  const operator = await operatorOfSession(sql, { id: caller.session.id, clock });
  return operator !== undefined && scopesIn({ kind: "operator", ...operator }, workspaceId).includes(scope);
}
