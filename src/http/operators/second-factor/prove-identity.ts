import { noteAudit } from "../../../audit/index.ts";
import { verifyPassword } from "../password.ts";
import type { Busy, PasswordWork } from "../password-work.ts";
import { isFreshSignIn } from "../sessions.ts";
import { forgiveAttempt, type Subject, takeAttempt } from "../throttle.ts";
import { type By, type FactorDeps, type Proof, redeemProof } from "./factors.ts";

export type Proved =
  | { readonly kind: "proved" }
  | { readonly kind: "refused"; readonly field: "password" | "code" }
  | { readonly kind: "signin_too_old" }
  | { readonly kind: "throttled"; readonly retryAfterSeconds: number }
  | Busy;

interface Given {
  readonly signedInAt: Date;
  readonly password?: string | undefined;
  /** Absent where there is no factor to prove yet. */
  readonly proof?: Proof | undefined;
}

/**
 * Before a second factor is changed: the password of an operator, or a sign-in of the last minutes if there is none, and a code. A
 * stolen session must not be enough. The code is used up only if the password fits.
 */
export async function proveIdentity(
  deps: FactorDeps & { readonly passwordWork: PasswordWork },
  by: By & { readonly login: string },
  given: Given,
): Promise<Proved> {
  return deps.passwordWork(() => check(deps, by, given));
}

async function check(deps: FactorDeps, by: By & { readonly login: string }, given: Given): Promise<Proved> {
  const { sql, clock } = deps;
  const subjects: Subject[] = [
    { kind: "password", value: by.login },
    ...(given.proof ? [{ kind: "second_factor", value: by.operatorId } as const] : []),
  ];
  const permission = await takeAttempt(sql, subjects, { clock });
  if (permission.kind === "throttled") return permission;
  const [operator] = await sql<{ password_hash: string | null }[]>`
    select password_hash from molva.operators where id = ${by.operatorId}
  `;
  const hash = operator?.password_hash ?? null;
  if (!hash && !isFreshSignIn(given.signedInAt, clock.now())) {
    await noteRefusal("signin");
    return { kind: "signin_too_old" };
  }
  if (hash && !(await verifyPassword(given.password ?? "", hash))) return refused("password");
  if (given.proof && !(await redeemProof(deps, by, given.proof))) return refused("code");
  await forgiveAttempt(sql, subjects);
  return { kind: "proved" };

  async function refused(field: "password" | "code"): Promise<Proved> {
    await noteRefusal(field);
    return { kind: "refused", field };
  }

  async function noteRefusal(field: "password" | "code" | "signin"): Promise<void> {
    const who = { kind: "operator", id: by.operatorId } as const;
    await noteAudit(
      sql,
      {
        ...{ workspaceId: null, actor: who, subject: who, address: by.address },
        ...{ action: "second_factor.refused", result: "refused", meta: { field } },
      },
      clock.now(),
    );
  }
}
