/** When a category publishes by itself, and what that costs a week. */
import type { Language } from "../../../dialogs/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import { estimateWork } from "../../estimates/estimate.ts";
import type { PlatformType } from "../../settings/shape.ts";
import { connectionName } from "../connections/place-name.ts";
import { type BotVisit, inStep, whoseOf } from "../services.ts";

export interface ActiveSchedule {
  readonly platform_type: PlatformType;
  readonly place: string;
  /** `mon`, `wed`. */
  readonly days: readonly string[];
  readonly times: readonly string[];
  readonly posts_per_day: number;
}

export interface Forecast {
  readonly schedules: readonly ActiveSchedule[];
  readonly tokensPerWeek: number;
}

/** Of a category whose owner was checked. */
export async function forecastOf(visit: BotVisit, categoryId: number): Promise<Forecast> {
  const services = inStep(visit);
  const schedules = await activeSchedules(visit.sql, visit.workspaceId, categoryId);
  const platforms = [...new Set(schedules.map(({ platform_type }) => platform_type))];
  const costs = new Map<PlatformType, number>();
  for (const platform of platforms) {
    const { tokens } = await estimateWork(services, whoseOf(visit), categoryId, platform);
    costs.set(platform, tokens.about);
  }
  const tokensPerWeek = schedules.reduce(
    (sum, { platform_type, days, posts_per_day }) =>
      sum + days.length * posts_per_day * (costs.get(platform_type) ?? 0),
    0,
  );
  return { schedules, tokensPerWeek };
}

async function activeSchedules(
  sql: Transaction,
  workspaceId: string,
  categoryId: number,
): Promise<ActiveSchedule[]> {
  const rows = await sql<(ActiveSchedule & { identifier: string; title: string | null })[]>`
    select s.platform_type, s.schedule_days as days, s.schedule_times as times, s.posts_per_day, c.identifier,
      coalesce(d.title, c.metadata ->> 'title') as title
    from seo.platform_schedules s
    join seo.platform_connections c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    left join delivery.channels d on d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
    where s.workspace_id = ${workspaceId} and s.category_id = ${categoryId} and s.enabled
    order by s.id`;
  return rows.map(({ identifier, title, ...schedule }) => ({
    ...schedule,
    place: connectionName({ platform_type: schedule.platform_type, identifier, title }),
  }));
}

/** A Monday. */
const monday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;
const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** `Пн, Ср`, in the order of the week. */
export function daysText(days: readonly string[], language: Language): string {
  const format = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  return week
    .flatMap((day, index) => (days.includes(day) ? [format.format(monday + index * dayMs)] : []))
    .map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`)
    .join(", ");
}
