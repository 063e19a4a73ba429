/** When a category is published by itself: days and times of a connection, in the project's time zone. */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, inOneChange } from "../../workspaces/index.ts";
import { readCategory } from "../categories/categories.ts";
import { readConnection } from "../connections/connections.ts";
import { type EstimateDeps, estimateWork } from "../estimates/estimate.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import type { PlatformType } from "../settings/shape.ts";
import { arrangeAnew, drivenSchedules, type ScheduleDriver } from "./driver.ts";
import type { WantedSchedule } from "./shape.ts";
import { type Days, inOrder, type Times } from "./times.ts";

export interface Schedule {
  readonly id: number;
  readonly category_id: number;
  readonly connection_id: number;
  readonly platform_type: PlatformType;
  readonly days: Days;
  readonly times: Times;
  readonly enabled: boolean;
  readonly status: "active" | "error";
  readonly last_post_at: Date | null;
  /** Connections to which its posts are adapted. */
  readonly cross_post_connection_ids: readonly number[];
}

/** What belongs together: a category and a connection of the same project. */
export interface SchedulePlace {
  readonly categoryId: number;
  readonly connectionId: number;
}

/** The schedules of a category, or of all categories of a project. */
export async function schedulesOf(
  sql: Sql | Transaction,
  whose: Whose,
  of: { readonly projectId: number } | { readonly categoryId: number },
): Promise<readonly Schedule[]> {
  return "categoryId" in of
    ? sql<Schedule[]>`${schedules(sql, whose)} and s.category_id = ${of.categoryId} order by s.id`
    : sql<Schedule[]>`${schedules(sql, whose)} and p.id = ${of.projectId} order by s.id`;
}

/** All schedules of a person. */
export async function allSchedules(sql: Sql | Transaction, whose: Whose): Promise<readonly Schedule[]> {
  return sql<Schedule[]>`${schedules(sql, whose)} order by s.id`;
}

export async function readSchedule(
  sql: Sql | Transaction,
  whose: Whose,
  { categoryId, connectionId }: SchedulePlace,
): Promise<Schedule | undefined> {
  const [schedule] = await sql<Schedule[]>`
    ${schedules(sql, whose)} and s.category_id = ${categoryId} and s.connection_id = ${connectionId}`;
  return schedule;
}

/** Sets days and times, and switches the schedule on unless told otherwise. What is not given stays. */
export async function saveSchedule(
  { sql, clock }: AdminDeps,
  whose: Whose,
  place: SchedulePlace,
  wanted: PlainSchedule & Partial<Pick<WantedSchedule, "enabled" | "cross_post_connection_ids">>,
): Promise<Schedule> {
  const { days, times } = inOrder(wanted);
  const { enabled = true, cross_post_connection_ids: crossTo } = wanted;
  const platform = await platformAt(sql, whose, place);
  if (crossTo && crossTo.length > 0) await requireNetworks(sql, whose, place, platform, crossTo);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await tx`
      insert into seo.platform_schedules
        (workspace_id, category_id, platform_type, connection_id, schedule_days, schedule_times, posts_per_day, enabled,
         cross_post_connection_ids, created_at, changed_at)
      values (${whose.workspaceId}, ${place.categoryId}, ${platform}, ${place.connectionId}, ${days}, ${times}, ${times.length},
        ${enabled}, ${[...(crossTo ?? [])]}::int[], ${now}, ${now})
      on conflict (workspace_id, category_id, platform_type, connection_id) do update set
        schedule_days = excluded.schedule_days, schedule_times = excluded.schedule_times,
        posts_per_day = excluded.posts_per_day, enabled = excluded.enabled, status = 'active', errors = 0,
        changed_at = excluded.changed_at, cross_post_connection_ids = case when ${crossTo !== undefined}
          then excluded.cross_post_connection_ids else platform_schedules.cross_post_connection_ids end`;
    const saved = await readSchedule(tx, whose, place);
    if (!saved) throw notFound("schedule of category", place.categoryId);
    return saved;
  });
}

interface PlainSchedule {
  readonly days: Days;
  readonly times: Times;
}

/** Posts are adapted to other networks of the same project. */
async function requireNetworks(
  sql: Sql,
  whose: Whose,
  { connectionId }: SchedulePlace,
  platform: PlatformType,
  crossTo: readonly number[],
): Promise<void> {
  const { project_id: projectId } = await readConnection(sql, whose, connectionId);
  const refuse = (ru: string, en: string) =>
    new SeoProblem("value_refused", { ru, en }, { pointers: ["/cross_post_connection_ids"] });
  if (platform === "wordpress")
    throw refuse("Кросс-постинг есть у постов, у статей его нет.", "Posts can be adapted, articles cannot.");
  for (const id of new Set(crossTo)) {
    const other = await readConnection(sql, whose, id);
    if (other.project_id !== projectId || other.platform_type === "wordpress" || id === connectionId)
      throw refuse(
        `Подключение ${id} не подходит: нужна другая соцсеть этого же проекта.`,
        `The connection ${id} cannot be used: another network of the same project is needed.`,
      );
  }
}

/** Sets the networks to which posts of a schedule are adapted; its days and times stay. Throws if there is no such schedule. */
export async function setCrossPosts(
  { sql }: { readonly sql: Sql },
  whose: Whose,
  place: SchedulePlace,
  crossTo: readonly number[],
): Promise<Schedule> {
  const known = await readSchedule(sql, whose, place);
  if (!known) throw notFound("schedule of category", place.categoryId);
  if (crossTo.length > 0) await requireNetworks(sql, whose, place, known.platform_type, crossTo);
  await sql`
    update seo.platform_schedules set cross_post_connection_ids = ${[...crossTo]}::int[]
    where workspace_id = ${whose.workspaceId} and id = ${known.id}`;
  return { ...known, cross_post_connection_ids: crossTo };
}

/** Switches a schedule on or off; its days and times stay. Undefined if there is none. */
export async function switchSchedule(
  { sql, clock }: { readonly sql: Sql | Transaction; readonly clock: Clock },
  whose: Whose,
  place: SchedulePlace,
  enabled: boolean,
): Promise<Schedule | undefined> {
  const known = await readSchedule(sql, whose, place);
  if (!known) return undefined;
  await sql`
    update seo.platform_schedules set enabled = ${enabled}, status = 'active', errors = 0, changed_at = ${clock.now()}
    where workspace_id = ${whose.workspaceId} and id = ${known.id}`;
  return readSchedule(sql, whose, place);
}

/** Deletes a schedule once nothing of it fires any more. False if there is none. */
export async function deleteSchedule(
  { sql, driver }: { readonly sql: Sql; readonly driver: ScheduleDriver },
  whose: Whose,
  place: SchedulePlace,
): Promise<boolean> {
  const { workspaceId } = whose;
  const known = await readSchedule(sql, whose, place);
  if (!known) return false;
  const driven = await drivenSchedules(sql, sql`s.workspace_id = ${workspaceId} and s.id = ${known.id}`);
  try {
    await driver.cancel(driven);
  } catch (error) {
    await arrangeAnew(sql, driven);
    throw error;
  }
  await sql`delete from seo.platform_schedules where workspace_id = ${workspaceId} and id = ${known.id}`;
  return true;
}

/** What a week of it costs, by what one work of the category costs on this platform. */
export async function weeklyCost(
  deps: EstimateDeps,
  whose: Whose,
  {
    category_id,
    platform_type,
    days,
    times,
  }: Pick<Schedule, "category_id" | "platform_type" | "days" | "times">,
): Promise<number> {
  const { tokens } = await estimateWork(deps, whose, category_id, platform_type);
  return tokens.about * days.length * times.length;
}

async function platformAt(
  sql: Sql,
  whose: Whose,
  { categoryId, connectionId }: SchedulePlace,
): Promise<PlatformType> {
  const category = await readCategory(sql, whose, categoryId);
  const connection = await readConnection(sql, whose, connectionId);
  if (category.project_id !== connection.project_id) throw notFound("connection", connectionId);
  return connection.platform_type;
}

function schedules(sql: Sql | Transaction, { workspaceId, userId }: Whose) {
  return sql`
    select s.id, s.category_id, s.connection_id, s.platform_type, s.schedule_days as days, s.schedule_times as times, s.enabled, s.status,
      s.last_post_at, s.cross_post_connection_ids
    from seo.platform_schedules s
    join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where s.workspace_id = ${workspaceId} and p.user_id = ${userId}`;
}
