import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Role } from "../auth/roles.ts";

/** An operator with a role in a workspace. */
export interface Member {
  readonly operator_id: string;
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
  readonly created_at: Date;
}

export async function listMembers(sql: Sql, workspaceId: string): Promise<Member[]> {
  return sql<Member[]>`
    select m.operator_id, o.login, o.name, m.role, o.disabled, m.created_at
    from molva.memberships m
    join molva.operators o on o.id = m.operator_id
    where m.workspace_id = ${workspaceId}
    order by o.login
  `;
}

export type MemberChange =
  | { readonly kind: "changed"; readonly was: Role }
  | { readonly kind: "unknown" | "last_admin" };

/** Changes the role of a member; null removes them. A workspace keeps at least one admin. */
export async function setMemberRole(
  sql: Sql | Transaction,
  { workspaceId, operatorId, role }: { workspaceId: string; operatorId: string; role: Role | null },
): Promise<MemberChange> {
  const [row] = await sql<[{ result: Role | "unknown" | "last_admin" }]>`
    select molva.set_member_role(${workspaceId}, ${operatorId}, ${role}) as result
  `;
  const { result } = row;
  return result === "unknown" || result === "last_admin"
    ? { kind: result }
    : { kind: "changed", was: result };
}

/** Adds a member. One who is a member already keeps their role: an invitation must not demote the last admin. */
export async function addMember(
  sql: Sql | Transaction,
  { workspaceId, operatorId, role, now }: { workspaceId: string; operatorId: string; role: Role; now: Date },
): Promise<void> {
  await sql`
    insert into molva.memberships (workspace_id, operator_id, role, created_at)
    values (${workspaceId}, ${operatorId}, ${role}, ${now})
    on conflict (workspace_id, operator_id) do nothing
  `;
}
