import type { FastifyRequest } from "fastify";
import { problem } from "../problems/index.ts";
import type { Scope } from "./scopes.ts";

/** The caller: a person with a session, or a machine with a token. */
export type Caller = OperatorCaller | TokenCaller;

interface AnyCaller {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

export interface OperatorCaller extends AnyCaller {
  readonly kind: "operator";
  readonly workspaceId: null;
  readonly login: string;
  readonly hasPassword: boolean;
  readonly session: { readonly id: string; readonly expiresAt: Date };
}

export interface TokenCaller extends AnyCaller {
  readonly kind: "token";
  /** The only workspace that the token may use; null for every one. */
  readonly workspaceId: string | null;
  /** The operator who created the token; null if it was created on the command line. */
  readonly createdBy: string | null;
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

/** Throws if the caller's token is bound to another workspace. */
export function requireWorkspace(request: FastifyRequest, workspaceId: string): void {
  const bound = callerOf(request).workspaceId;
  if (bound !== null && bound !== workspaceId) throw problem("other_workspace");
}
