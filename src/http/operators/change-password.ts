import type { Clock } from "../../kernel/clock/index.ts";
import { type Sql, type Transaction, within } from "../../kernel/db/index.ts";
import { setPassword } from "./operators.ts";
import { verifyPassword } from "./password.ts";
import type { Busy, PasswordWork } from "./password-work.ts";
import { forgiveAttempt, type Subject, type Throttled, takeAttempt } from "./throttle.ts";

export type PasswordChange =
  | { readonly kind: "changed" }
  | { readonly kind: "refused"; readonly field: "current" | "password"; readonly reason: string }
  | Throttled
  | Busy;

interface Given {
  readonly login: string;
  readonly sessionId: string;
  readonly current?: string | undefined;
  readonly password: string;
}

interface Deps {
  readonly clock: Clock;
  /** Records the change in its transaction. */
  readonly note: (tx: Transaction) => Promise<void>;
}

/** An operator changes their own password. The old one, if any, is required: a stolen session must not be enough. */
export async function changePassword(
  sql: Sql,
  given: Given,
  { passwordWork, ...deps }: Deps & { passwordWork: PasswordWork },
): Promise<PasswordChange> {
  return passwordWork(() => checkAndChange(sql, given, deps));
}

async function checkAndChange(sql: Sql, given: Given, { clock, note }: Deps): Promise<PasswordChange> {
  const subjects: Subject[] = [{ kind: "password", value: given.login }];
  const permission = await takeAttempt(sql, subjects, { clock });
  if (permission.kind === "throttled") return permission;

  const [operator] = await sql<{ password_hash: string | null }[]>`
    select password_hash from molva.operators where login = ${given.login}
  `;
  const hash = operator?.password_hash ?? null;
  if (hash && !(await verifyPassword(given.current ?? "", hash))) {
    return { kind: "refused", field: "current", reason: "The current password is wrong." };
  }
  await forgiveAttempt(sql, subjects);
  const { login, password, sessionId: keepSession } = given;
  const result = await sql.begin(async (tx) => {
    const set = await setPassword(within(tx), { login, password, keepSession });
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
