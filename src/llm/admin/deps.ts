import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { callerOf } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Gateway } from "../gateway.ts";

/** Who changes something, and why; both stand in the event of the change. */
export interface By {
  readonly operator: string;
  readonly reason?: string | undefined;
}

export interface AdminDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Writes the event of a change into the audit trail, within its transaction. */
  readonly noteChange: (tx: Transaction, change: Change) => Promise<void>;
}

export interface Change {
  readonly workspaceId: string;
  readonly now: Date;
  readonly by: By;
  readonly meta: Readonly<Record<string, unknown>> & { readonly object: string };
}

export interface RouteDeps extends AdminDeps {
  readonly gateway: Gateway;
  /** The workspace a request is about: one that exists and that the caller may touch. */
  readonly workspaceOf: (
    sql: Sql,
    request: FastifyRequest,
    query: { workspace_id?: string | undefined },
  ) => Promise<string>;
}

export const inWorkspace = {
  workspace_id: z.uuid().optional().describe("Else the token's own workspace, else the oldest"),
};

export function byOf(request: FastifyRequest, reason?: string): By {
  return { operator: callerOf(request).name, reason };
}

/** What changed, field by field, as it stands in events. */
export function differences(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const was = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .filter(
        ([field, to]) => field !== "updated_at" && JSON.stringify(was.get(field)) !== JSON.stringify(to),
      )
      .map(([field, to]) => [field, { from: was.get(field), to }]),
  );
}
