import type { FastifyRequest } from "fastify";
import type { AuditActor } from "../../audit/index.ts";
import type { Reach } from "../networks.ts";
import { problem } from "../problems/index.ts";
import { scopesIn } from "./reach.ts";
import type { Role } from "./roles.ts";
import type { RouteScope, Scope } from "./scopes.ts";

/** The caller: a person with a session, or a machine with a token. */
export type Caller = OperatorCaller | TokenCaller;

interface AnyCaller {
  readonly id: string;
  readonly name: string;
  /** Held in the workspace of the request; before that is known, held in any workspace. */
  readonly scopes: readonly Scope[];
}

export interface OperatorCaller extends AnyCaller {
  readonly kind: "operator";
  readonly login: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** Of the whole installation. */
  readonly administrator: boolean;
  /** The role in each workspace, by its id. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly session: { readonly id: string; readonly signedInAt: Date; readonly expiresAt: Date };
}

export interface TokenCaller extends AnyCaller {
  readonly kind: "token";
  /** The only workspace that the token may use; null for every one. */
  readonly workspaceId: string | null;
  /** The operator who created the token; null if it was created on the command line. */
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
  /** From which the token works; empty: from everywhere. */
  readonly networks: readonly string[];
  /** These, and those of the tokens it was made with. */
  readonly reach: Reach;
}

/** The caller of a route that is not public. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error("the route is public, so nobody was identified");
  return request.caller;
}

export function requireOperator(request: FastifyRequest): OperatorCaller {
  const caller = callerOf(request);
  if (caller.kind !== "operator") throw problem("operators_only");
  return caller;
}

/** Throws unless the caller has the route's scope in the workspace. From then on the caller has the scopes of that workspace. */
export function requireWorkspace(request: FastifyRequest, workspaceId: string): void {
  const caller = callerOf(request);
  const held = scopesIn(caller, workspaceId);
  if (held.length === 0) throw problem("other_workspace");
  requireScope({ ...caller, scopes: held }, request.routeOptions.config.scope);
  request.caller = { ...caller, scopes: held };
}

/** Throws unless the caller's rights cover all workspaces. */
export function requireInstallation(request: FastifyRequest): void {
  const caller = callerOf(request);
  if (coversInstallation(caller)) return;
  throw problem(caller.kind === "operator" ? "administrators_only" : "other_workspace");
}

/** Whether the caller has any scope in the workspace. */
export function mayEnter(caller: Caller, workspaceId: string): boolean {
  return scopesIn(caller, workspaceId).length > 0;
}

export function coversInstallation(caller: Caller): boolean {
  return scopesIn(caller, null).length > 0;
}

export function requireScope(caller: Caller, scope: RouteScope | undefined): void {
  if (scope === undefined || scope === "public" || caller.scopes.includes(scope)) return;
  const whose = caller.kind === "operator" ? "your role" : "the token";
  throw problem("scope_missing", {
    detail: `This needs the scope "${scope}"; ${whose} has: ${caller.scopes.join(", ") || "none"}.`,
    headers: { "www-authenticate": `Bearer realm="molva", error="insufficient_scope", scope="${scope}"` },
  });
}

/** The workspaces in which the caller has the scope; null for all of them. */
export function workspacesWith(caller: Caller, scope: Scope): readonly string[] | null {
  if (scopesIn(caller, null).includes(scope)) return null;
  const known = caller.kind === "operator" ? Object.keys(caller.roles) : [caller.workspaceId ?? ""];
  return known.filter((workspaceId) => scopesIn(caller, workspaceId).includes(scope));
}

/** The caller for the audit and for events: an id, because names can be chosen. */
export function actorOf({ kind, id }: Caller): AuditActor {
  return { kind, id };
}
