/** Which slot on which date a message of QStash is about. */
import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

const time = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const publishBody = z.object({
  schedule_id: z.int().positive(),
  workspace_id: z.uuid().optional(),
  slot: z.string().regex(time).optional(),
  idempotency_key: z.string().max(200).optional(),
});

export type PublishBody = {
  readonly scheduleId: number;
  readonly workspaceId?: string | undefined;
  readonly slot: string;
};

/** Undefined if it is not about a slot. Messages of the document's own system name it in `idempotency_key` only. */
export function readPublishBody(body: unknown): PublishBody | undefined {
  const { data } = publishBody.safeParse(body);
  const slot = data?.slot ?? data?.idempotency_key?.split("_").at(-1);
  if (!data || slot === undefined || !time.test(slot)) return undefined;
  return { scheduleId: data.schedule_id, workspaceId: data.workspace_id, slot };
}

/** Clocks of machines may differ by this much. */
const leewayMs = 60_000;

/**
 * The date of the latest time that the zone's clocks showed the slot: a retry shortly after midnight still means yesterday's, and an
 * hour that is repeated in autumn means the same slot twice.
 */
export function dateOfSlot(slot: string, zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit" },
  }).formatToParts(now.getTime() + leewayMs);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const date = `${part("year")}-${part("month")}-${part("day")}`;
  if (slot <= `${part("hour")}:${part("minute")}`) return date;
  // From noon to noon, whatever the clocks did in the night.
  return new Date(Date.parse(`${date}T12:00:00Z`) - 24 * 3_600_000).toISOString().slice(0, 10);
}

/** The schedule's workspace and zone. Undefined if it is gone, or if its number alone does not say whose it is. */
export async function scheduleOf(
  sql: Sql,
  { scheduleId, workspaceId }: Pick<PublishBody, "scheduleId" | "workspaceId">,
): Promise<{ readonly workspaceId: string; readonly zone: string } | undefined> {
  const [found, ...more] = await sql<{ workspaceId: string; zone: string }[]>`
    select s.workspace_id as "workspaceId", p.timezone as zone
    from seo.platform_schedules s
    join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where s.id = ${scheduleId} and s.workspace_id = coalesce(${workspaceId ?? null}::uuid, s.workspace_id)
    limit 2`;
  return more.length === 0 ? found : undefined;
}
