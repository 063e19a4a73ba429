import { noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { findInvitation, holdInvitation, type Invitation, takeInvitation } from "./invitations.ts";
import { addMember } from "./members.ts";
import { findOperator, setOperator } from "./operators.ts";
import { hashPassword } from "./password.ts";
import { weaknessOf } from "./password-rules.ts";
import type { Busy, PasswordWork } from "./password-work.ts";
import { findSession, type StartedSession, startSession } from "./sessions.ts";
import type { Visitor } from "./sign-in.ts";
import { forgiveAttempt, type Subject, type Throttled, takeAttempt } from "./throttle.ts";

export type Acceptance =
  | { readonly kind: "signed_in"; readonly login: string; readonly session: StartedSession }
  /** The login has an operator already, who is signed in: they get the role. */
  | { readonly kind: "added"; readonly login: string }
  /** The login has an operator already, and whoever accepts is not signed in as them. The invitation stays open. */
  | { readonly kind: "sign_in_first"; readonly login: string }
  | { readonly kind: "refused" }
  | { readonly kind: "invalid"; readonly field: "name" | "password"; readonly reason: string }
  | Throttled
  | Busy;

interface Given {
  readonly invitation: string;
  /** The cookie of whoever accepts. */
  readonly session?: string | undefined;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly passwordWork: PasswordWork;
}

/**
 * Accepts an invitation. A new person gets an operator of the invited login with the name and password they choose, and is signed in.
 * An existing operator must be signed in and gets the role, nothing else: the link proves only that an admin wanted the owner of this
 * login here. The login may have been claimed before by somebody else, who must not get the role by another person's click.
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

  const session = given.session ? await findSession(sql, { token: given.session, clock }) : undefined;
  const by: Accepting = { operatorId: session?.operator.id, visitor, now: clock.now() };
  const withHeld = (accept: (tx: Transaction, held: Invitation) => Promise<Acceptance>) =>
    sql.begin(async (tx): Promise<Acceptance> => {
      const held = await holdInvitation(tx, { token: given.invitation, clock });
      return held ? accept(tx, held) : { kind: "refused" };
    });

  const known = await findOperator(sql, found.login);
  if (known) return withHeld((tx, held) => addKnown(tx, held, by));
  const { name, password } = given;
  if (!name) return { kind: "invalid", field: "name", reason: "Say your name." };
  const weakness = weaknessOf(password ?? "", found.login);
  if (!password || weakness)
    return { kind: "invalid", field: "password", reason: weakness ?? "Choose a password." };
  const hash = await deps.passwordWork(() => hashPassword(password));
  if (typeof hash !== "string") return hash;
  return withHeld((tx, held) => addNew(tx, held, { name, hash }, by, deps));
}

interface Accepting {
  /** Who is signed in. */
  readonly operatorId: string | undefined;
  readonly visitor: Visitor;
  readonly now: Date;
}

async function addKnown(tx: Transaction, held: Invitation, by: Accepting): Promise<Acceptance> {
  const operator = await findOperator(tx, held.login);
  if (!operator || operator.disabled) return { kind: "refused" };
  const { id, login } = operator;
  if (id !== by.operatorId) return { kind: "sign_in_first", login };
  await takeInvitation(tx, held);
  await giveRole(tx, held, id, by);
  return { kind: "added", login };
}

async function addNew(
  tx: Transaction,
  held: Invitation,
  { name, hash }: { name: string; hash: string },
  by: Accepting,
  { clock }: Deps,
): Promise<Acceptance> {
  const { login } = held;
  const [made] = await tx<{ id: string }[]>`
    insert into molva.operators (login, name, password_hash, created_at)
    values (${login}, ${name}, ${hash}, ${by.now})
    on conflict (login) do nothing
    returning id
  `;
  // Another invitation of the same login was accepted a moment ago, perhaps by somebody else.
  if (!made) return addKnown(tx, held, by);
  await takeInvitation(tx, held);
  await giveRole(tx, held, made.id, by);
  const session = await startSession(tx, { operatorId: made.id, ...by.visitor, clock });
  return { kind: "signed_in", login, session };
}

async function giveRole(
  tx: Transaction,
  { id, workspace_id: workspaceId, role }: Invitation,
  operatorId: string,
  { visitor: { address }, now }: Accepting,
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
