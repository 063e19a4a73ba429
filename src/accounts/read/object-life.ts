import { z } from "zod";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { objectSchema } from "../objects/object-schema.ts";
import { readObject } from "../objects/objects.ts";
import { inBoth, type VerdictCode, verdictCodes } from "../texts/index.ts";
import { historyPage, type Publication, publicationSchema } from "./publications.ts";
import { objectReadiness, type Readiness, readinessSchema } from "./readiness.ts";
import { type Task, taskPage, taskSchema } from "./task-list.ts";

export const lifeSchema = z.object({
  object: objectSchema,
  readiness: readinessSchema,
  tasks: z.array(taskSchema).describe("The latest 200, of accounts and of bots"),
  history: z.array(publicationSchema).describe("The latest 200"),
  verdict: z.object({
    code: z.enum(verdictCodes),
    at: z.date().nullable(),
    ru: z.string(),
    en: z.string(),
  }),
});
export type Life = z.output<typeof lifeSchema>;

const most = 200;

/** An object's past and planned publications, and a summary in one sentence. */
export async function objectLife(
  { sql }: AdminDeps,
  workspaceId: string,
  objectId: string,
  who: Who,
): Promise<Life> {
  const object = await readObject(sql, workspaceId, objectId, who);
  const [readiness, tasks, history] = await Promise.all([
    objectReadiness(sql, workspaceId, objectId, who),
    taskPage(sql, workspaceId, { ...who, isAdmin: true }, { object_id: objectId, limit: most }),
    historyPage(sql, workspaceId, { ...who, isAdmin: true }, { object_id: objectId, limit: most }),
  ]);
  const { code, at } = verdictOf({ readiness, tasks: tasks.items, history: history.items });
  const when = at ? at.toISOString().slice(0, 16).replace("T", " ").concat(" UTC") : "";
  return {
    object,
    readiness,
    tasks: tasks.items,
    history: history.items,
    verdict: { code, at, ...inBoth(({ verdicts }) => verdicts[code](when)) },
  };
}

interface LifeFacts {
  readonly readiness: Pick<Readiness, "ready">;
  readonly tasks: readonly Pick<Task, "status" | "scheduled_time" | "completed_at" | "type" | "held">[];
  readonly history: readonly Pick<Publication, "published_at" | "deleted">[];
}

/** Picks what matters most to the owner: in progress, planned, obstacles, past results. */
export function verdictOf({ readiness, tasks, history }: LifeFacts): { code: VerdictCode; at: Date | null } {
  const has = (status: Task["status"]) => tasks.filter((task) => task.status === status);
  if (has("processing").length > 0) return { code: "under_way", at: null };
  const coming = has("pending").filter(({ held }) => !held);
  if (coming.length > 0)
    return { code: "planned", at: earliest(coming.map(({ scheduled_time }) => scheduled_time)) };
  if (has("flood_wait").length > 0) return { code: "flood", at: null };
  if (has("pending").length > 0) return { code: "account_off", at: null };
  const bots = tasks.some(({ type }) => type === "bot");
  if (!readiness.ready && !bots) return { code: "hindered", at: null };
  const published = latest(history.filter(({ deleted }) => !deleted).map(({ published_at }) => published_at));
  const failed = latest(
    has("failed").map(({ completed_at, scheduled_time }) => completed_at ?? scheduled_time),
  );
  if (failed && (!published || failed > published)) return { code: "failed", at: failed };
  return published ? { code: "published", at: published } : { code: "waits_for_plan", at: null };
}

function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())));
}

function latest(times: readonly Date[]): Date | null {
  return times.length > 0 ? new Date(Math.max(...times.map((time) => time.getTime()))) : null;
}
