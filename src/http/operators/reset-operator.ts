import { type AuditActor, noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { endSignIns, normalizeLogin } from "./operators.ts";

/**
 * For an administrator at the command line, when a password is forgotten or known to somebody else. The operator has neither password,
 * session, link nor identity of a provider afterwards, but keeps the second factor. False: there is no such operator.
 */
export async function resetOperator(
  sql: Sql,
  login: string,
  { clock, actor }: { clock: Clock; actor: AuditActor },
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const [operator] = await tx<{ id: string }[]>`
      update molva.operators set password_hash = null where login = ${normalizeLogin(login)} returning id
    `;
    if (!operator) return false;
    await tx`delete from molva.oidc_identities where operator_id = ${operator.id}`;
    await endSignIns(tx, operator.id);
    const subject = { kind: "operator", id: operator.id };
    const entry = { workspaceId: null, actor, action: "password.reset", subject } as const;
    await noteAudit(tx, { ...entry, result: "ok" }, clock.now());
    return true;
  });
}
