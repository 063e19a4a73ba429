import type { FastifyRequest } from "fastify";
import { callerOf } from "../../http/index.ts";
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

/** The workspace for callers that name none: the one of their token, else the oldest. */
export async function defaultWorkspace(sql: Sql, request: FastifyRequest): Promise<string | undefined> {
  const bound = callerOf(request).workspaceId;
  if (bound) return bound;
  return (await listWorkspaces(sql))[0]?.id;
}
