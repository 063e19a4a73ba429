import type { FastifyRequest } from "fastify";
import { type AuditEntry, noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { actorOf, callerOf } from "./caller.ts";

/** Records what the caller of a request did, in the transaction of that, or was refused. */
export async function auditRequest(
  { sql, clock }: { readonly sql: Sql | Transaction; readonly clock: Clock },
  request: FastifyRequest,
  entry: Pick<AuditEntry, "workspaceId" | "action" | "subject" | "meta"> &
    Partial<Pick<AuditEntry, "result">>,
): Promise<void> {
  const actor = actorOf(callerOf(request));
  await noteAudit(sql, { result: "ok", ...entry, actor, address: request.ip }, clock.now());
}
