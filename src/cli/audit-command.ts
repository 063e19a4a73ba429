import { type AuditEntry, noteAudit } from "../audit/index.ts";
import { systemClock } from "../kernel/clock/index.ts";
import type { Sql, Transaction } from "../kernel/db/index.ts";
import { commandActor } from "../terminal/index.ts";

/** Records what somebody did at the command line, by the account of the machine, in the transaction of that. */
export async function auditCommand(
  sql: Sql | Transaction,
  entry: Pick<AuditEntry, "workspaceId" | "action" | "subject" | "meta">,
): Promise<void> {
  await noteAudit(sql, { ...entry, actor: commandActor(), result: "ok" }, systemClock.now());
}
