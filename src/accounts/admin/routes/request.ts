import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Sql } from "../../../kernel/db/index.ts";
import { inWorkspace, reason, workspaceOf } from "../../../workspaces/index.ts";
import { type Who, whoOf } from "../access.ts";
import { wholeIdsIn } from "./whole-ids.ts";

/** What the routes of accounts have in common. */

export const querystring = z.object(inWorkspace);
export const why = reason.optional();

/** A yes or no in a query, which knows only text. */
export const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Part of the query of what deletes something. */
export const deletion = querystring.extend({
  reason: why,
  dry_run: flag.optional().describe("true: say whether it could be deleted, and delete nothing"),
});

export interface Asked {
  readonly workspaceId: string;
  readonly who: Who;
}

/** Where and for whom a request is. Ids in its path and its query are whole from here on. */
export async function asked(
  sql: Sql,
  request: FastifyRequest & { query: { workspace_id?: string | undefined } },
  because?: string,
): Promise<Asked> {
  const workspaceId = await workspaceOf(sql, request, request.query);
  for (const part of [request.params, request.query])
    if (typeof part === "object" && part !== null)
      Object.assign(part, await wholeIdsIn(sql, workspaceId, part));
  return { workspaceId, who: whoOf(request, because) };
}
