import type { Transaction } from "../kernel/db/index.ts";
import type { AuditActor } from "./note.ts";

/** Says who acts for the rest of a transaction: functions in SQL that change the configuration write it into the audit. */
export async function actAs(
  tx: Transaction,
  { actor, address }: { readonly actor?: AuditActor | undefined; readonly address?: string | undefined },
): Promise<void> {
  if (actor) await tx`select set_config('audit.actor', ${JSON.stringify({ ...actor, address })}, true)`;
}
