import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { callerOf, problem, requireWorkspace } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { By } from "../change/deps.ts";
import { defaultWorkspace } from "../tenants/list-workspaces.ts";
import { flag, reason } from "./fields.ts";

/** Part of the query of every route that belongs to one workspace. */
export const inWorkspace = {
  workspace_id: z
    .uuid()
    .optional()
    .describe("Else the token's own workspace, else the oldest that the caller may use"),
};

/** Part of the query of every route that deletes something. */
export const deletion = {
  reason: reason.optional(),
  dry_run: flag.optional().describe("true: say whether it could be deleted, and delete nothing"),
};

/** The workspace of a request: it exists, and the caller may use it. */
export async function workspaceOf(
  sql: Sql,
  request: FastifyRequest,
  query: { workspace_id?: string | undefined },
): Promise<string> {
  const workspaceId = query.workspace_id ?? (await defaultWorkspace(sql, request));
  if (!workspaceId)
    throw problem("not_found", {
      detail:
        "There is no workspace yet, or none for you: `molva workspace add <name>` makes one, an admin of one can invite.",
    });
  requireWorkspace(request, workspaceId);
  const found = await sql`select from workspaces.workspaces where workspace_id = ${workspaceId}`;
  if (found.length === 0) throw problem("not_found", { detail: `There is no workspace ${workspaceId}.` });
  return workspaceId;
}

export function byOf(request: FastifyRequest, reason?: string): By {
  const { kind, id, scopes } = callerOf(request);
  return {
    operator: `${kind}:${id}`,
    reason,
    actor: { kind, id },
    address: request.ip,
    isAdmin: scopes.includes("admin"),
  };
}
