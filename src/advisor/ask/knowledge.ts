import { z } from "zod";
import type { Profile } from "../subject/subject.ts";
import type { Question } from "./question.ts";
import type { SessionContext } from "./session-context.ts";

/** Source of the profile: this question, the stored pet, an earlier question of the session, or none. */
export const profileSources = ["request", "db", "session", "none"] as const;
export type ProfileSource = (typeof profileSources)[number];

export interface Knowledge {
  readonly profile: Profile;
  readonly source: ProfileSource;
  readonly petId: string | null;
  /** Summaries of earlier questions, oldest first. */
  readonly memory: readonly string[];
}

/** The result of `advisor.memory_of`. */
export const memoryShape = z.object({
  pet: z.object({ id: z.string(), profile: z.record(z.string(), z.unknown()) }).nullable(),
  summaries: z.array(z.string()),
});
export type Memory = z.output<typeof memoryShape>;

/** Uses the request's profile if it has more than a type; else the stored pet (Pro) or what was sent (Free). */
export function knowledgeOf({ profile, petId }: Question, memory: Memory | null): Knowledge {
  const summaries = memory?.summaries ?? [];
  const told = Object.keys(profile).filter((key) => key !== "type").length > 0;
  if (told) return { profile, source: "request", petId, memory: summaries };
  if (memory?.pet)
    return { profile: memory.pet.profile, source: "db", petId: memory.pet.id, memory: summaries };
  const sent = Object.keys(profile).length > 0 && !memory;
  return { profile: sent ? profile : {}, source: sent ? "request" : "none", petId: null, memory: summaries };
}

/** Falls back to the profile given earlier in the session. */
export function recalled(knowledge: Knowledge, { pet_snapshot: snapshot }: SessionContext): Knowledge {
  return knowledge.source === "none" && snapshot
    ? { ...knowledge, profile: snapshot, source: "session" }
    : knowledge;
}
