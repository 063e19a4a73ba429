/** The schedule of a category on one connection, and the usual choices. */
import type { Guest, Language, ScreenKey } from "../../../dialogs/index.ts";
import { readProject } from "../../projects/projects.ts";
import { lastReason } from "../../schedules/autopublications.ts";
import { presetOf } from "../../schedules/presets.ts";
import {
  readSchedule,
  type Schedule,
  saveSchedule,
  switchSchedule,
  weeklyCost,
} from "../../schedules/schedules.ts";
import { nextOf } from "../../schedules/times.ts";
import { connectionName } from "../connections/place-name.ts";
import { bothOf } from "../connections/platform-menu.ts";
import { zoneLabel } from "../projects/time-zones.ts";
import { action, type BotServices, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { otherNetworks } from "./cross-screen.ts";

type Visit = Guest<BotServices>;

export const scheduleScreen = screen("category:{id}:connection:{connection}:schedule", {
  to: [
    ...["schedule:{category}:{connection}:{@preset}", "category:{id}:connection:{connection}:menu"],
    ...["category:{id}:connection:{connection}:cross", "category:{id}:scheduler", "category:{id}:card"],
  ],
  async show({ id, connection: connectionId }, visit) {
    const found = await bothOf(id, connectionId, visit);
    if (!found) return undefined;
    const { category, connection } = found;
    const whose = whoseOf(visit);
    const { schedule: say, common } = texts[visit.language];
    const schedule = await readSchedule(visit.sql, whose, { categoryId: id, connectionId });
    const { timezone } = await readProject(visit.sql, whose, category.project_id);
    const at = (preset: string) => `schedule:${id}:${connectionId}:${preset}`;
    const isOn = schedule?.enabled === true;
    const crosses = schedule?.cross_post_connection_ids.length ?? 0;
    const canCross = schedule !== undefined && (await otherNetworks(visit, connection)).length > 0;
    const onOrOff: ScreenKey[] = isOn
      ? [{ label: say.one.off, to: at("off"), style: "danger" }]
      : schedule
        ? [{ label: say.one.on, to: at("on"), style: "success" }]
        : [];
    return {
      text: [
        say.one.title(category.name, connectionName(connection)),
        await statusOf(schedule, visit),
        ...(isOn ? [whenNext(schedule, timezone, visit)] : []),
        `${say.zone(zoneLabel(timezone, visit.language, visit.now))}\n\n${say.one.question}`,
      ]
        .filter((line) => line !== "")
        .join("\n"),
      buttons: [
        [{ label: say.one.weekly, to: at("weekly") }],
        [{ label: say.one.thrice, to: at("thrice"), style: "primary" }],
        [{ label: say.one.daily, to: at("daily") }],
        [{ label: say.one.manual, to: at("manual") }],
        onOrOff,
        canCross
          ? [
              {
                label: say.cross.label(crosses),
                to: `category:${id}:connection:${connectionId}:cross`,
              },
            ]
          : [],
        [
          { label: say.one.toPlatform, to: `category:${id}:connection:${connectionId}:menu` },
          { label: say.category.toScheduler, to: `category:${id}:scheduler` },
        ],
        [{ label: common.toCategory, to: `category:${id}:card` }],
      ],
    };
  },
});

/** A preset, `manual`, `on`, `off`, or `later`, which is said to an offer. */
export const scheduleChosen = action("schedule:{category}:{connection}:{@preset}", {
  to: ["category:{id}:connection:{connection}:schedule", "flow:ScheduleSetup", "category:{id}:card"],
  async act({ category, connection, preset }, visit) {
    const found = await bothOf(category, connection, visit);
    if (!found) return undefined;
    const [services, whose] = [inStep(visit), whoseOf(visit)];
    const place = { categoryId: category, connectionId: connection };
    const say = texts[visit.language].schedule;
    const here = `category:${category}:connection:${connection}:schedule`;
    if (preset === "later") return { to: `category:${category}:card`, notice: say.offer.laterSaid };
    if (preset === "manual") {
      const known = await readSchedule(visit.sql, whose, place);
      const { days = [], times = [] } = known ?? {};
      return { to: "flow:ScheduleSetup", data: { ...place, days, times } };
    }
    if (preset === "on" || preset === "off") {
      const switched = await switchSchedule(services, whose, place, preset === "on");
      if (!switched) return { to: here };
      return { to: here, ...(preset === "off" && { notice: say.switchedOff }) };
    }
    const wanted = presetOf(preset);
    if (!wanted) return undefined;
    await saveSchedule(services, whose, place, wanted);
    return { to: here, notice: say.kept };
  },
});

async function statusOf(schedule: Schedule | undefined, visit: Visit): Promise<string> {
  const say = texts[visit.language].schedule;
  if (!schedule) return say.none;
  const hasFailed = schedule.status === "error";
  if (!schedule.enabled) return hasFailed ? say.stopped : say.off(say.plan(schedule));
  const saved = say.saved(say.plan(schedule), await weeklyCost(inStep(visit), whoseOf(visit), schedule));
  if (!hasFailed) return saved;
  const key = { workspaceId: visit.workspaceId, scheduleId: schedule.id };
  const isOurs = (await lastReason(visit.sql, key)) === "internal";
  return `${saved}\n${isOurs ? say.failedHere : say.failed}`;
}

export function whenNext(
  schedule: Pick<Schedule, "days" | "times">,
  zone: string,
  { language, now }: { readonly language: Language; readonly now: Date },
): string {
  const say = texts[language].schedule;
  const next = nextOf(schedule, zone, now);
  return next ? say.next(say.when(next.inDays, next.day, next.time)) : "";
}
