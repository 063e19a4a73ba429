import type { FastifyRequest } from "fastify";
import { callerOf, problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type By, byOf } from "../../workspaces/index.ts";
import { accountsProblem } from "./problems.ts";

/** The caller of an owner's operation. */
export interface Who extends By {
  /** The operator's login, or the token's name: what they create belongs to this name. */
  readonly owner: string;
  /** Admins may use what belongs to others. */
  readonly isAdmin: boolean;
}

export function whoOf(request: FastifyRequest, reason?: string): Who {
  const caller = callerOf(request);
  return {
    ...byOf(request, reason),
    owner: caller.kind === "operator" ? caller.login : caller.name,
    isAdmin: caller.scopes.includes("admin"),
  };
}

interface Owned {
  readonly owner: string | null;
}

/** Returns `thing`, or throws `not_found`. */
export function found<Thing>(thing: Thing | undefined, what: string, id: string): Thing {
  if (thing === undefined) throw problem("not_found", { detail: `There is no ${what} ${id}.` });
  return thing;
}

/** Returns `thing`, or throws if it is missing or belongs to somebody else. */
export function foundOwn<T extends Owned>(who: Who, thing: T | undefined, what: string, id: string): T {
  const one = found(thing, what, id);
  requireOwn(who, one, what);
  return one;
}

export function requireOwn(who: Who, thing: Owned, what: string): void {
  if (!who.isAdmin && thing.owner !== who.owner)
    throw accountsProblem("not_yours", { detail: `The ${what} belongs to somebody else.` });
}

interface KnownAccount {
  readonly id: string;
  readonly owner: string;
  readonly title: string;
  readonly is_active: boolean;
  readonly last_error: string | null;
}

/** Reads an account that the caller may use. */
export async function requireAccount(
  sql: Sql | Transaction,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<KnownAccount> {
  const [account] = await sql<KnownAccount[]>`
    select id, owner, title, is_active, last_error from accounts.accounts
    where workspace_id = ${workspaceId} and id = ${id}`;
  return foundOwn(who, account, "account", id);
}
