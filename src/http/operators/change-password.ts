import { type Transaction, within } from "../../kernel/db/index.ts";
import { setPassword } from "./operators.ts";
import { verifyPassword } from "./password.ts";
import type { Busy, PasswordWork } from "./password-work.ts";
import { type By, type FactorDeps, type Proof, redeemProof } from "./second-factor/factors.ts";
import { isFreshSignIn } from "./sessions.ts";
import { forgiveAttempt, type Subject, type Throttled, takeAttempt } from "./throttle.ts";

export type PasswordChange =
  | { readonly kind: "changed" }
  | { readonly kind: "refused"; readonly field: "current" | "password" | "code"; readonly reason: string }
  | { readonly kind: "signin_too_old" }
  | Throttled
  | Busy;

interface Given {
  readonly by: By & { readonly login: string };
  readonly session: { readonly id: string; readonly signedInAt: Date };
  readonly current?: string | undefined;
  /** Asked of who has a second factor and no password. */
  readonly proof?: Proof | undefined;
  readonly password: string;
}

interface Deps extends FactorDeps {
  /** Records the change in its transaction. */
  readonly note: (tx: Transaction) => Promise<void>;
}

/**
 * An operator changes their own password. A stolen session must not be enough, so the old one is required, and of who has none a sign-in
 * of the last minutes, with a code if there is a second factor.
 */
export async function changePassword(
  given: Given,
  { passwordWork, ...deps }: Deps & { passwordWork: PasswordWork },
): Promise<PasswordChange> {
  return passwordWork(() => checkAndChange(given, deps));
}

async function checkAndChange(given: Given, deps: Deps): Promise<PasswordChange> {
  const { sql, clock, note } = deps;
  const { login, operatorId } = given.by;
  const [operator] = await sql<{ password_hash: string | null; has_factor: boolean }[]>`
    select o.password_hash, exists (
      select from molva.second_factors f where f.operator_id = o.id and f.confirmed_at is not null) as has_factor
    from molva.operators o where o.login = ${login}
  `;
  const hash = operator?.password_hash ?? null;
  if (!hash && !isFreshSignIn(given.session.signedInAt, clock.now())) return { kind: "signin_too_old" };
  const asksForCode = !hash && operator?.has_factor === true;
  const subjects: Subject[] = [
    { kind: "password", value: login },
    ...(asksForCode ? [{ kind: "second_factor", value: operatorId } as const] : []),
  ];
  const permission = await takeAttempt(sql, subjects, { clock });
  if (permission.kind === "throttled") return permission;

  if (hash && !(await verifyPassword(given.current ?? "", hash)))
    return { kind: "refused", field: "current", reason: "The current password is wrong." };
  if (asksForCode && !(given.proof && (await redeemProof(deps, given.by, given.proof))))
    return {
      kind: "refused",
      field: "code",
      reason: "A code of your second factor is needed that was not used before.",
    };
  await forgiveAttempt(sql, subjects);
  const { password } = given;
  const result = await sql.begin(async (tx) => {
    const set = await setPassword(within(tx), { login, password, keepSession: given.session.id });
    if (set.kind === "set") await note(tx);
    return set;
  });
  switch (result.kind) {
    case "set":
      return { kind: "changed" };
    case "weak":
      return { kind: "refused", field: "password", reason: result.reason };
    case "unknown_operator":
      return { kind: "refused", field: "current", reason: "The operator no longer exists." };
  }
}
