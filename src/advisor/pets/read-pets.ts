import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { BaseProfile, Profile } from "../subject/subject.ts";
import { Refusal } from "../v1/refusal.ts";

export interface PetRow extends BaseProfile {
  readonly id: string;
  readonly profile: Profile;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = (sql: Sql | Transaction) =>
  sql`id, type, name, sex, birth_date::text, age_text, breed, profile, created_at, updated_at`;

async function readPet(
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

/** Reads a pet of this user, or throws `not_found`. */
export async function requirePet(
  sql: Sql | Transaction,
  workspaceId: string,
  userId: string,
  petId: string,
): Promise<PetRow> {
  const pet = await readPet(sql, workspaceId, userId, petId);
  if (!pet) throw petNotFound();
  return pet;
}

export function petNotFound(): Refusal {
  return new Refusal("not_found", "pet_not_found", "There is no such pet of this user.");
}

/** The newest pet that is not archived. */
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

/** Columns override the stored profile. */
export function wholeProfile({ profile, type, name, sex, birth_date, age_text, breed }: PetRow): Profile {
  return { ...profile, type, name, sex, birth_date, age_text, breed };
}
