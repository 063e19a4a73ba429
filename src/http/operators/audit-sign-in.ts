import { type AuditEntry, noteAudit } from "../../audit/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { SignIn } from "./sign-in.ts";

/**
 * Records how an attempt to sign in failed. The login that was typed is not recorded: people type passwords into that field. Of the
 * refusals by the throttle only the first in a window is recorded.
 */
export async function auditSignIn(
  sql: Sql,
  signIn: SignIn,
  { by, address }: { by: "password" | "link" | "second_step"; address: string },
  now: Date,
): Promise<void> {
  const entry = entryOf(signIn);
  if (entry) await noteAudit(sql, { workspaceId: null, address, meta: { by }, ...entry }, now);
}

function entryOf(signIn: SignIn): Pick<AuditEntry, "actor" | "action" | "subject" | "result"> | undefined {
  const anonymous = { kind: "anonymous", id: null } as const;
  switch (signIn.kind) {
    case "refused": {
      const subject = signIn.operatorId === null ? undefined : { kind: "operator", id: signIn.operatorId };
      return { actor: anonymous, action: "signin.refused", subject, result: "refused" };
    }
    case "throttled":
      return signIn.isFirst ? { actor: anonymous, action: "signin.throttled", result: "refused" } : undefined;
    // Sign-ins are recorded in the transaction of their session, and a second step with what it proves.
    case "signed_in":
    case "second_step":
    case "second_step_refused":
    case "busy":
      return undefined;
  }
}
