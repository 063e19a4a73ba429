import { problem } from "../../http/index.ts";
import type { VariableBinding } from "../../kernel/config/index.ts";

/** Variables of the server's environment that workspaces may name as secrets. */
export interface Variables {
  /** Whether the server's operator has bound the variable to this workspace. */
  isBound(workspaceId: string, name: string): boolean;
  /** Undefined if it is not set, or not bound to this workspace. */
  valueOf(workspaceId: string, name: string): string | undefined;
}

/**
 * People of a workspace may name a variable and choose where it is sent, so only variables that the server's operator has bound
 * to the workspace are read.
 */
export function createVariables(
  bindings: readonly VariableBinding[],
  environment: Readonly<Record<string, string | undefined>>,
): Variables {
  const isBound = (workspaceId: string, name: string) =>
    bindings.some(
      (bound) => bound.name === name && (bound.workspace === "*" || bound.workspace === workspaceId),
    );
  return {
    isBound,
    valueOf: (workspaceId, name) =>
      isBound(workspaceId, name) ? environment[name]?.trim() || undefined : undefined,
  };
}

/** Throws if the variable is not bound to the workspace. */
export function requireBound(variables: Variables, workspaceId: string, name: string): void {
  if (variables.isBound(workspaceId, name)) return;
  const detail = `${name} is not bound to this workspace: the operator of the server adds ${name}=${workspaceId} to MOLVA_WORKSPACE_VARIABLES.`;
  throw problem("unprocessable", { detail, errors: [{ pointer: "/secret_variable", detail }] });
}
