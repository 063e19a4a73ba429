import type { FastifyRequest } from "fastify";
import { callerOf, problem } from "../../http/index.ts";
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

interface Owned {
  readonly owner: string | null;
}

/** What was looked for, or a refusal when it is not there. */
export function found<Thing>(thing: Thing | undefined, what: string, id: string): Thing {
  if (thing === undefined) throw problem("not_found", { detail: `There is no ${what} ${id}.` });
  return thing;
}

/** The same for what belongs to somebody, who must be the caller. */
export function foundOwn<Thing extends Owned>(
  who: Who,
  thing: Thing | undefined,
  what: string,
  id: string,
): Thing {
  const one = found(thing, what, id);
  requireOwn(who, one, what);
  return one;
}

/** Refuses what belongs to somebody else. */
export function requireOwn(who: Who, thing: Owned, what: string): void {
  if (!who.isAdmin && thing.owner !== who.owner)
    throw accountsProblem("not_yours", { detail: `The ${what} belongs to somebody else.` });
}
