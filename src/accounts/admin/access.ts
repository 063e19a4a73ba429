import type { FastifyRequest } from "fastify";
import { callerOf } from "../../http/index.ts";
import { type By, byOf } from "../../workspaces/index.ts";
import { accountsProblem } from "./problems.ts";

/** Who asks: by which name things are theirs, and whether they may touch what is not. */
export interface Who extends By {
  /** The operator's login, or the token's name. */
  readonly owner: string;
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

/** Refuses what belongs to somebody else. */
export function requireOwn(who: Who, thing: { readonly owner: string }, what: string): void {
  if (!who.isAdmin && thing.owner !== who.owner)
    throw accountsProblem("not_yours", { detail: `The ${what} belongs to somebody else.` });
}
