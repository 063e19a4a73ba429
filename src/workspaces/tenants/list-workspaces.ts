import type { FastifyRequest } from "fastify";
import { callerOf, mayEnter } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

export interface WorkspaceName {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

export function listWorkspaces(sql: Sql): Promise<WorkspaceName[]> {
  return sql<WorkspaceName[]>`
    select workspace_id as id, name, status from workspaces.workspaces order by created_at, workspace_id`;
}

/** The workspace for callers that name none: the one of their token, else the oldest that they may use. */
export async function defaultWorkspace(sql: Sql, request: FastifyRequest): Promise<string | undefined> {
  const caller = callerOf(request);
  if (caller.kind === "token" && caller.workspaceId) return caller.workspaceId;
  // The same for every operation, whatever scope it needs.
  return (await listWorkspaces(sql)).find(({ id }) => mayEnter(caller, id))?.id;
}
