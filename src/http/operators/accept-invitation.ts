import { noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { findInvitation, type Invitation, takeInvitation } from "./invitations.ts";
import { addMember } from "./members.ts";
import { findOperator, setOperator } from "./operators.ts";
import { hashPassword } from "./password.ts";
import { weaknessOf } from "./password-rules.ts";
import type { Busy, PasswordWork } from "./password-work.ts";
import { type StartedSession, startSession } from "./sessions.ts";
import type { Visitor } from "./sign-in.ts";
import { forgiveAttempt, type Subject, type Throttled, takeAttempt } from "./throttle.ts";

export type Acceptance =
  | { readonly kind: "signed_in"; readonly login: string; readonly session: StartedSession }
  /** The login has an operator already: they get the role, and sign in as always. */
  | { readonly kind: "added"; readonly login: string }
  | { readonly kind: "refused" }
  | { readonly kind: "invalid"; readonly field: "name" | "password"; readonly reason: string }
  | Throttled
  | Busy;

interface Given {
  readonly invitation: string;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly passwordWork: PasswordWork;
}

/**
 * Accepts an invitation. A new person gets an operator of the invited login with the name and password they choose, and is signed in.
 * An existing operator gets the role and nothing else: the link proves no more than that an admin wanted them here, so it neither
 * signs them in nor changes their password.
 */
export async function acceptInvitation(
  sql: Sql,
  given: Given,
  visitor: Visitor,
  deps: Deps,
): Promise<Acceptance> {
  const { clock } = deps;
  const subjects: Subject[] = [{ kind: "link", value: visitor.address }];
  const permission = await takeAttempt(sql, subjects, { clock });
  if (permission.kind === "throttled") return permission;
  const found = await findInvitation(sql, { token: given.invitation, clock });
  if (!found) return { kind: "refused" };
  await forgiveAttempt(sql, subjects);

  const known = await findOperator(sql, found.login);
  if (known) return sql.begin((tx) => addKnown(tx, given.invitation, visitor, deps));
  const { name, password } = given;
  if (!name) return { kind: "invalid", field: "name", reason: "Say your name." };
  const weakness = weaknessOf(password ?? "", found.login);
  if (!password || weakness)
    return { kind: "invalid", field: "password", reason: weakness ?? "Choose a password." };
  const hash = await deps.passwordWork(() => hashPassword(password));
  if (typeof hash !== "string") return hash;
  return sql.begin((tx) => addNew(tx, { ...given, name, hash }, visitor, deps));
}

async function addKnown(
  tx: Transaction,
  token: string,
  visitor: Visitor,
  { clock }: Deps,
): Promise<Acceptance> {
  const taken = await takeInvitation(tx, { token, clock });
  const operator = taken && (await findOperator(tx, taken.login));
  if (!taken || !operator || operator.disabled) return { kind: "refused" };
  await giveRole(tx, taken, operator.id, visitor, clock.now());
  return { kind: "added", login: operator.login };
}

async function addNew(
  tx: Transaction,
  { invitation: token, name, hash }: { invitation: string; name: string; hash: string },
  visitor: Visitor,
  { clock }: Deps,
): Promise<Acceptance> {
  const now = clock.now();
  const taken = await takeInvitation(tx, { token, clock });
  if (!taken) return { kind: "refused" };
  const [made] = await tx<{ id: string }[]>`
    insert into molva.operators (login, name, password_hash, created_at)
    values (${taken.login}, ${name}, ${hash}, ${now})
    on conflict (login) do nothing
    returning id
  `;
  if (!made) {
    // The same person accepted another invitation a moment ago.
    const operator = await findOperator(tx, taken.login);
    if (!operator || operator.disabled) return { kind: "refused" };
    await giveRole(tx, taken, operator.id, visitor, now);
    return { kind: "added", login: operator.login };
  }
  await giveRole(tx, taken, made.id, visitor, now);
  const session = await startSession(tx, { operatorId: made.id, ...visitor, clock });
  return { kind: "signed_in", login: taken.login, session };
}

async function giveRole(
  tx: Transaction,
  { id, workspace_id: workspaceId, role }: Invitation,
  operatorId: string,
  { address }: Visitor,
  now: Date,
): Promise<void> {
  if (role === "administrator") await setOperator(tx, operatorId, { administrator: true });
  else if (workspaceId) await addMember(tx, { workspaceId, operatorId, role, now });
  await noteAudit(
    tx,
    {
      ...{ workspaceId, action: "invitation.accepted", result: "ok", address },
      actor: { kind: "operator", id: operatorId },
      subject: { kind: "invitation", id },
      meta: { role },
    },
    now,
  );
}
