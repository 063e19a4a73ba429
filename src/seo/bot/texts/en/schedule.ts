import { counted } from "../../../../kernel/words/index.ts";
import { type Days, type Times, type Weekday, weekdays } from "../../../schedules/times.ts";

const days: Readonly<Record<Weekday, string>> = {
  ...{ mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" },
};
const number = new Intl.NumberFormat("en");
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export const schedule = {
  title: "setting a schedule",
  days,
  plan: (plan: { readonly days: Days; readonly times: Times }) =>
    `${plan.days.length === weekdays.length ? "Every day" : plan.days.map((day) => days[day]).join(", ")} at ${plan.times.join(", ")}`,
  kept: "The schedule is saved.",
  saved: (plan: string, tokens: number) => `Schedule: ${plan}. ~${number.format(tokens)} tokens a week`,
  off: (plan: string) => `The schedule is off (${plan}).`,
  none: "There is no schedule yet.",
  stopped: "The schedule was stopped after errors. Check the connection and switch it on again.",
  failed: "The last publication failed. Check the connection.",
  failedHere:
    "The last publication failed because of an error on our side. The schedule goes on; there is nothing to do.",
  week: {
    open: "The next 7 days",
    title: (project: string) => `The next 7 days — ${project}`,
    empty: "Nothing is scheduled. Switch a schedule on in the scheduler.",
    when: (due: Date, timeZone: string) =>
      new Intl.DateTimeFormat("en-GB", {
        ...{ timeZone, weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
      }).format(due),
    line: (when: string, what: string, tokens: number, isCovered: boolean) =>
      `${isCovered ? "•" : "⚠️"} ${when} — ${what}, ~${tokens}`,
    more: (count: number) => `…and ${count} more`,
    sum: (tokens: number, balance: number) =>
      `About ${number.format(tokens)} tokens in all. Balance: ${number.format(balance)}.`,
    free: (tokens: number) => `About ${tokens} tokens in all (GOD_MODE: free)`,
    short: "The balance does not carry those marked ⚠️: the schedule would be switched off.",
    topUp: "Top up",
  },
  switchedOff: "The schedule is off. You can switch it on again at any time.",
  next: (when: string) => `Next publication: ${when}`,
  when: (inDays: number, day: Weekday, time: string) =>
    `${inDays < 2 ? relative.format(inDays, "day") : days[day]} at ${time}`,
  zone: (zone: string) => `The project's time zone: ${zone}`,
  one: {
    title: (category: string, connection: string) => `Schedule — ${category} → ${connection}`,
    question: "How often shall it publish?",
    weekly: "Once a week (Mon, 10:00)",
    thrice: "Three times a week (Mon, Wed, Fri)",
    daily: "Every day at 10:00",
    manual: "Set by hand",
    off: "Switch the schedule off",
    on: "Switch the schedule on",
    toPlatform: "To the platform",
  },
  cross: {
    label: (chosen: number) => (chosen === 0 ? "Cross-posting" : `Cross-posting: ${chosen}`),
    title: (category: string, connection: string) => `Cross-posting — ${category} → ${connection}`,
    question:
      "Where else shall the posts of this schedule go? Each is rewritten for the network, about 10 tokens apiece. Tap to switch one on or off.",
    none: "The project has no other networks. Connect one, and posts can go there too.",
  },
  offer: {
    workdays: "Every working day at 10:00",
    thrice: "Mon, Wed, Fri at 10:00",
    manual: "Set by hand",
    later: "Later",
    laterSaid: "All right, later. A schedule can be set at any time: “Scheduler” on the project's card.",
  },
  setup: {
    select_days: "Schedule (1/3) — Days\n\nOn which days shall it publish? Mark the days and press “Done”.",
    noDays: "Choose at least one day",
    select_count: "Schedule (2/3) — Number\n\nHow many publications a day?",
    select_times: (count: number) =>
      `Schedule (3/3) — Times\n\nAt what time shall it publish? Mark ${slots(count)} and press “Done”.`,
    exactly: (count: number) => `Choose exactly ${slots(count)}`,
    done: "Done",
  },
  project: {
    title: (project: string) => `Scheduler — ${project}`,
    empty: "The project has no categories yet. Create the first one, and it can be published by a schedule.",
    question: "Choose a category.",
    line: (category: string, schedules: number) =>
      `• ${category} — ${
        schedules === 0 ? "no schedule" : counted(schedules, { one: "schedule", other: "schedules" }, "en")
      }`,
    newCategory: "Create a category",
  },
  category: {
    title: (category: string) => `Scheduler — ${category}`,
    today: (lines: string) => `Today's plan:\n${lines}`,
    nothingToday: "Nothing more is scheduled for today.",
    noConnections: "There is nowhere to publish yet. Connect a site or a network.",
    question: "Choose the connection whose schedule you want to set.",
    toScheduler: "To the scheduler",
    connect: "Connect a platform",
  },
};

const slots = (count: number): string => counted(count, { one: "time", other: "times" }, "en");
