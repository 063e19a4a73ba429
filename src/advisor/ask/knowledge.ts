import type { Sql } from "../../kernel/db/index.ts";
import { limits } from "../limits.ts";
import { type PetRow, readActivePet, readPet, wholeProfile } from "../pets/pets.ts";
import type { Plan } from "../settings.ts";
import type { Profile } from "../subject/subject.ts";
import type { Question } from "./question.ts";
import type { SessionContext } from "./session.ts";

/** Where the profile came from: this question, the stored pet, an earlier question of the talk, or nowhere. */
export const profileSources = ["request", "db", "session", "none"] as const;
export type ProfileSource = (typeof profileSources)[number];

/** What is known besides the words of the question. */
export interface Knowledge {
  readonly profile: Profile;
  readonly source: ProfileSource;
  readonly petId: string | null;
  /** Summaries of earlier questions, oldest first. */
  readonly memory: readonly string[];
}

/** A profile of the request with more than a type is used as it is; else Pro has the stored one, and Free has what it sent. */
export async function knowledgeFor(
  sql: Sql,
  at: { workspaceId: string; userId: string; plan: Plan },
  { profile, petId }: Question,
): Promise<Knowledge> {
  const told = Object.keys(profile).filter((key) => key !== "type").length > 0;
  const pet = at.plan === "pro" ? await petOf(sql, at, petId) : undefined;
  const memory = at.plan === "pro" ? await memoryOf(sql, at, pet?.id) : [];
  if (told) return { profile, source: "request", petId: petId ?? null, memory };
  if (pet) return { profile: wholeProfile(pet), source: "db", petId: pet.id, memory };
  const sent = Object.keys(profile).length > 0 && at.plan === "free";
  return { profile: sent ? profile : {}, source: sent ? "request" : "none", petId: null, memory };
}

/** A profile that came earlier in the talk holds until another comes. */
export function recalled(knowledge: Knowledge, { pet_snapshot: snapshot }: SessionContext): Knowledge {
  return knowledge.source === "none" && snapshot
    ? { ...knowledge, profile: snapshot, source: "session" }
    : knowledge;
}

function petOf(
  sql: Sql,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  petId: string | null,
): Promise<PetRow | undefined> {
  return petId ? readPet(sql, workspaceId, userId, petId) : readActivePet(sql, workspaceId, userId);
}

async function memoryOf(
  sql: Sql,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  petId: string | undefined,
): Promise<string[]> {
  const rows = await sql<{ summary: string }[]>`
    select summary from advisor.interactions
    where workspace_id = ${workspaceId} and user_id = ${userId} and (pet_id = ${petId ?? null} or ${petId ?? null}::uuid is null or pet_id is null)
    order by created_at desc limit ${limits.memory}`;
  return rows.map(({ summary }) => summary).reverse();
}
