import type { Command } from "commander";
import {
  type Common,
  changing,
  checked,
  deleting,
  print,
  printDeleted,
  reading,
  table,
  UserError,
  viewing,
  withCore,
} from "../../terminal/index.ts";
import { seoParts, workshopOf } from "../parts.ts";
import { planOf } from "../schedules/plan.ts";
import {
  allSchedules,
  deleteSchedule,
  readSchedule,
  type Schedule,
  saveSchedule,
  switchSchedule,
} from "../schedules/schedules.ts";
import { type Planned, planDays, type SchedulePlan, wantedSchedule } from "../schedules/shape.ts";
import { asPerson, type ForPerson, forPerson, idIn, withSeo } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface SetOptions extends ForPerson {
  readonly days: string;
  readonly times: string;
  readonly crossPost?: string;
  readonly off?: boolean;
}

/** `molva seo schedule set|list|on|off|delete`. */
export const addSchedules: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("schedule").description("when categories are published by themselves");
  const place = (made: Command) =>
    forPerson(made)
      .argument("<category>", "its number", idIn)
      .argument("<connection>", "the number of the site or the network", idIn);
  forPerson(reading(command, "list", "all schedules of a person")).action(async (options: ForPerson) => {
    const found = await asPerson(terminal, options, ({ sql }, whose) => allSchedules(sql, whose));
    print(terminal, options, { items: found }, () => schedulesText(found));
  });
  place(changing(command, "set", "set days and times in the project's zone"))
    .requiredOption("--days <list>", "such as mon,wed,fri")
    .requiredOption("--times <list>", "one to five, such as 10:00,18:00")
    .option(
      "--cross-post <list>",
      'numbers of networks to which its posts are adapted; "" for none, as before unless given',
    )
    .option("--off", "keep it switched off")
    .action(async (categoryId: number, connectionId: number, options: SetOptions) => {
      const wanted = checked(wantedSchedule, {
        ...{ days: split(options.days), times: split(options.times), enabled: options.off !== true },
        cross_post_connection_ids:
          options.crossPost === undefined ? undefined : split(options.crossPost).map(Number),
      });
      const saved = await asPerson(terminal, options, (deps, whose) =>
        saveSchedule(deps, whose, { categoryId, connectionId }, wanted),
      );
      print(terminal, options, saved, () => schedulesText([saved]));
    });
  for (const verb of ["on", "off"] as const)
    place(changing(command, verb, `switch a schedule ${verb}`)).action(
      async (categoryId: number, connectionId: number, options: ForPerson) => {
        const switched = await asPerson(terminal, options, (deps, whose) =>
          switchSchedule(deps, whose, { categoryId, connectionId }, verb === "on"),
        );
        if (!switched) throw none;
        print(terminal, options, switched, () => schedulesText([switched]));
      },
    );
  place(deleting(command, "delete a schedule; what was published stays")).action(
    async (categoryId: number, connectionId: number, options: ForPerson & Common) => {
      await withSeo(terminal, options, async (deps, whose) => {
        const at = { categoryId, connectionId };
        if (!(await readSchedule(deps.sql, whose, at))) throw none;
        if (!options.dryRun) await deleteSchedule(deps, whose, at);
      });
      printDeleted(terminal, options, `${categoryId}/${connectionId}`, "the schedule");
    },
  );
};

const none = new UserError("There is no such schedule: molva seo schedule list shows them.");
const split = (list: string) =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

const schedulesText = table<Schedule>("No schedules.", {
  category: ({ category_id }) => String(category_id),
  connection: ({ connection_id }) => String(connection_id),
  platform: ({ platform_type }) => platform_type,
  days: ({ days }) => days.join(","),
  times: ({ times }) => times.join(","),
  state: ({ enabled, status }) =>
    `${enabled ? "on" : "off"}${status === "error" ? ", failed last time" : ""}`,
});

interface PlanOptions extends ForPerson {
  readonly from?: Date;
  readonly days: number;
}

/** `molva seo plan`. */
export const addSchedulePlan: AddSeoCommand = (parent, terminal) => {
  forPerson(
    viewing(
      parent.command("plan").description("what schedules will publish, and whether the balance carries it"),
    ),
  )
    .option("--from <time>", "such as 2026-12-01 or 2026-12-01T10:00Z; now unless given", timeIn)
    .option("--days <number>", `at most ${planDays.most}`, daysIn, planDays.usual)
    .action(async (options: PlanOptions) => {
      const plan = await withCore(terminal, options, (core, workspaceId) =>
        planOf({ ...seoParts(core), ...workshopOf(core) }, { workspaceId, userId: options.user }, options),
      );
      print(terminal, options, plan, () => planText(plan));
    });
};

function timeIn(typed: string): Date {
  const time = new Date(typed);
  if (Number.isNaN(time.getTime())) throw new UserError("--from takes a time such as 2026-12-01T10:00Z.");
  return time;
}

function daysIn(typed: string): number {
  const days = Number(typed);
  if (Number.isInteger(days) && days >= 1 && days <= planDays.most) return days;
  throw new UserError(`--days takes a whole number from 1 to ${planDays.most}.`);
}

const plannedText = table<Planned>("Nothing is scheduled.", {
  utc: ({ due_at }) => `${due_at.toISOString().slice(0, 16)}Z`,
  local: ({ local, zone }) => `${local} ${zone}`,
  category: ({ category }) => category,
  place: ({ platform, place }) => `${platform}: ${place}`,
  tokens: ({ tokens }) => `~${tokens}`,
  left: ({ balance_after, is_covered }) => `${balance_after}${is_covered ? "" : " too few"}`,
});

function planText({ items, tokens, balance, is_free }: SchedulePlan): string {
  const sum = is_free ? "free for an administrator" : `about ${tokens} tokens, balance ${balance}`;
  return items.length === 0
    ? plannedText([])
    : `${plannedText(items)}\n\n${items.length} publications: ${sum}`;
}
