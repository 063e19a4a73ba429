/** Days, number and times of a schedule, set by hand. */
import { z } from "zod";
import { saveSchedule } from "../../schedules/schedules.ts";
import { hours, postsPerDay, weekdays } from "../../schedules/times.ts";
import { inactivity } from "../limits.ts";
import { flow, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

const data = z.object({
  categoryId: z.int(),
  connectionId: z.int(),
  days: z.array(z.enum(weekdays)),
  count: z.int(),
  times: z.array(z.string()),
});

export const scheduleSetup = flow({
  name: "ScheduleSetup",
  title: both((t) => t.schedule.title),
  data,
  empty: { categoryId: 0, connectionId: 0, days: [], count: 1, times: [] },
  first: "select_days",
  rivals: "replace",
  inactivity,
  states: {
    select_days: {
      ask: both((t) => t.schedule.setup.select_days),
      buttons: {
        day: {
          label: both(() => ""),
          columns: 4,
          each: ({ days }, language) =>
            weekdays.map((day) => ({
              arg: day,
              label: marked(texts[language].schedule.days[day], days.includes(day)),
            })),
          to: "@stay",
          press: ({ data: { days } }, arg) => ({
            data: { days: weekdays.filter((day) => days.includes(day) !== (day === arg)) },
          }),
        },
        done: {
          label: both((t) => t.schedule.setup.done),
          style: "success",
          to: "select_count",
          press: ({ data: { days }, language }) =>
            days.length > 0 ? {} : { refuse: texts[language].schedule.setup.noDays },
        },
      },
    },
    select_count: {
      ask: both((t) => t.schedule.setup.select_count),
      buttons: {
        count: {
          label: both(() => ""),
          columns: 5,
          each: () =>
            Array.from({ length: postsPerDay.most }, (_, index) => ({
              ...{ arg: String(index + 1), label: String(index + 1) },
            })),
          to: "select_times",
          press: ({ data: { times } }, arg) => {
            const count = Number(arg);
            return { data: { count, times: times.slice(0, count) } };
          },
        },
      },
    },
    select_times: {
      ask: ({ count }, language) => texts[language].schedule.setup.select_times(count),
      buttons: {
        time: {
          label: both(() => ""),
          columns: 4,
          each: ({ times }) =>
            hours.map((hour) => ({ arg: hour, label: marked(hour, times.includes(hour)) })),
          to: "@stay",
          press: ({ data: { times } }, arg) => ({
            data: { times: hours.filter((hour) => times.includes(hour) !== (hour === arg)) },
          }),
        },
        done: {
          label: both((t) => t.schedule.setup.done),
          style: "success",
          to: ["screen:category:{id}:connection:{connection}:schedule", "screen:dashboard"],
          async press(turn) {
            const { categoryId, connectionId, days, count, times } = turn.data;
            const say = texts[turn.language].schedule;
            if (times.length !== count) return { refuse: say.setup.exactly(count) };
            const saved = await ifFound(() =>
              saveSchedule(inStep(turn), whoseOf(turn), { categoryId, connectionId }, { days, times }),
            );
            // The connection or the category was deleted meanwhile.
            if (!saved) return { to: "screen:dashboard" };
            return {
              to: `screen:category:${categoryId}:connection:${connectionId}:schedule`,
              notice: say.kept,
            };
          },
        },
      },
    },
  },
});

const marked = (label: string, isMarked: boolean) => (isMarked ? `✓ ${label}` : label);
