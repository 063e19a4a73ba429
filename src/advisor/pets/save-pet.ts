import type { Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { isRecord } from "../subject/pet-profile.ts";
import type { Profile, Subject } from "../subject/subject.ts";
import { Refusal } from "../v1/refusal.ts";
import { type PetRow, wholeProfile } from "./read-pets.ts";

/** Merges the given profile into the known one and stores it; nested objects are merged, lists and values replaced. */
export async function savePet(
  tx: Transaction,
  at: { workspaceId: string; userId: string; now: Date },
  known: PetRow | undefined,
  given: Profile,
  subject: Subject,
): Promise<string> {
  const merged = deepMerge(known ? wholeProfile(known) : {}, subject.profile.arrange(given));
  const read = subject.profile.normalize(merged);
  if (!read.ok) throw new Refusal("bad_request", read.error, "Say what it is: type.");
  const base = subject.profile.base.parse(read.profile);
  const id = known?.id ?? uuidv7({ now: () => at.now });
  const saved = tx`
    insert into advisor.pets (workspace_id, id, user_id, type, name, sex, birth_date, age_text, breed, profile, created_at, updated_at)
    values (${at.workspaceId}, ${id}, ${at.userId}, ${base.type}, ${base.name}, ${base.sex}, ${base.birth_date}, ${base.age_text},
      ${base.breed}, ${JSON.stringify(read.profile)}::text::jsonb, ${at.now}, ${at.now})
    on conflict (workspace_id, id) do update set
      type = excluded.type, name = excluded.name, sex = excluded.sex, birth_date = excluded.birth_date, age_text = excluded.age_text,
      breed = excluded.breed, profile = excluded.profile, updated_at = excluded.updated_at`;
  await saved.catch((cause: unknown) => {
    throw new Refusal("internal", "pet_upsert_failed", "The pet was not saved; send it again.", { cause });
  });
  return id;
}

export function deepMerge(known: Profile, given: Profile): Profile {
  const merged: Record<string, unknown> = { ...known };
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? deepMerge(before, value) : value;
  }
  return merged;
}
