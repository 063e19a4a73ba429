import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Profile } from "../subject/subject.ts";

export interface PetRow {
  readonly id: string;
  readonly type: string;
  readonly name: string | null;
  readonly sex: string;
  readonly birth_date: string | null;
  readonly age_text: string | null;
  readonly breed: string | null;
  readonly profile: Profile;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = (sql: Sql | Transaction) =>
  sql`id, type, name, sex, birth_date::text, age_text, breed, profile, created_at, updated_at`;

export async function readPet(
  sql: Sql | Transaction,
  workspaceId: string,
  userId: string,
  petId: string,
): Promise<PetRow | undefined> {
  const [row] = await sql<PetRow[]>`
    select ${columns(sql)} from advisor.pets
    where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${petId} and archived_at is null`;
  return row;
}

/** The newest that is not archived. */
export async function readActivePet(
  sql: Sql | Transaction,
  workspaceId: string,
  userId: string,
): Promise<PetRow | undefined> {
  const [row] = await sql<PetRow[]>`
    select ${columns(sql)} from advisor.pets
    where workspace_id = ${workspaceId} and user_id = ${userId} and archived_at is null
    order by created_at desc, id desc limit 1`;
  return row;
}

export function listPets(sql: Sql | Transaction, workspaceId: string, userId: string): Promise<PetRow[]> {
  return sql<PetRow[]>`
    select ${columns(sql)} from advisor.pets
    where workspace_id = ${workspaceId} and user_id = ${userId} and archived_at is null
    order by created_at, id`;
}

/** The stored profile with the base fields on top: columns win over copies. */
export function wholeProfile({ profile, type, name, sex, birth_date, age_text, breed }: PetRow): Profile {
  return { ...profile, type, name, sex, birth_date, age_text, breed };
}
