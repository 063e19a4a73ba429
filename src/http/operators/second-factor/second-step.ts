import { noteAudit } from "../../../audit/index.ts";
import { startSession } from "../sessions.ts";
import type { SignIn, Visitor } from "../sign-in.ts";
import { linkShape } from "../signin-links.ts";
import { forgiveAttempt, type Subject, takeAttempt } from "../throttle.ts";
import { endChallenge, findChallenge } from "./challenges.ts";
import { type FactorDeps, type Proof, redeemProof } from "./factors.ts";

/**
 * The second step of signing in. Counted like passwords, by address and by operator: whoever knows the password still has only
 * so many codes to try.
 */
export async function signInWithSecondStep(
  deps: FactorDeps,
  { challenge, proof }: { challenge: string; proof: Proof },
  { address, userAgent }: Visitor,
): Promise<SignIn> {
  const { sql, clock } = deps;
  if (!linkShape.test(challenge)) return { kind: "second_step_refused", reason: "challenge" };
  const byAddress: Subject = { kind: "address", value: address };
  const permission = await takeAttempt(sql, [byAddress], { clock });
  if (permission.kind === "throttled") return permission;
  const found = await findChallenge(sql, { token: challenge, clock });
  if (!found) return { kind: "second_step_refused", reason: "challenge" };

  const { operatorId, method } = found;
  const byOperator: Subject = { kind: "second_factor", value: operatorId };
  const granted = await takeAttempt(sql, [byOperator], { clock });
  if (granted.kind === "throttled") return granted;
  const meta = { by: method, second_step: "code" in proof ? "code" : "recovery_code" };
  if (!(await redeemProof(deps, { operatorId, address }, proof))) {
    const actor = { kind: "anonymous", id: null } as const;
    const subject = { kind: "operator", id: operatorId };
    const entry = { workspaceId: null, actor, subject, address, meta };
    await noteAudit(sql, { ...entry, action: "second_factor.refused", result: "refused" }, clock.now());
    return { kind: "second_step_refused", reason: "code" };
  }
  await forgiveAttempt(sql, [byAddress, byOperator]);
  return sql.begin(async (tx): Promise<SignIn> => {
    if (!(await endChallenge(tx, challenge))) return { kind: "second_step_refused", reason: "challenge" };
    const session = await startSession(tx, { operatorId, address, userAgent, clock });
    const actor = { kind: "operator", id: operatorId } as const;
    const entry = { workspaceId: null, actor, subject: { kind: "session", id: session.id }, address, meta };
    await noteAudit(tx, { ...entry, action: "signin.succeeded", result: "ok" }, clock.now());
    return { kind: "signed_in", operatorId, session };
  });
}
