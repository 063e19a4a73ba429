import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type AddCommand,
  administer,
  byOf,
  type Common,
  changing,
  columns,
  configOf,
  inWords,
  moment,
  momentOf,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  reading,
  type Terminal,
  table,
} from "../../terminal/index.ts";
import { noteReading, pageOfAll } from "../../workspaces/index.ts";
import { type Person, peoplePage, setPlan } from "../admin/people.ts";
import { describePlans, type PlanView, readPlanUsage } from "../admin/plan-usage.ts";
import { planSettingsOf } from "../advisor-settings.ts";

/** `molva advisor plan set|list`, `users`, `usage`. */
export const addAdvisor: AddCommand = (program, terminal) => {
  const command = program
    .command("advisor")
    .description("advice by language models: people, plans, what it costs");
  addPlan(command, terminal);
  addUsers(command, terminal);
  addUsage(command, terminal);
};

function addPlan(parent: Command, terminal: Terminal): void {
  const command = parent.command("plan").description("who has Pro, and what plans allow");

  changing(command, "set", "give a person Pro, or take it back")
    .argument("<telegram-user-id>", "the person's id in Telegram", personId)
    .argument("<plan>", "free or pro", planOf)
    .action(async (id: number, plan: "free" | "pro", options: Common) => {
      const person = await administer(terminal, options, (deps, workspaceId) =>
        setPlan(deps, workspaceId, id, plan, byOf(options)),
      );
      print(terminal, options, person, () => `${id} is on the plan ${person.plan}.`);
    });

  paging(printing(command.command("list").description("what each plan allows"))).action(
    async (options: Paged) => {
      const plans = describePlans(planSettingsOf({ config: configOf(terminal) }));
      printPage(terminal, options, await inWords(async () => pageOfAll(plans, options)), planTable);
    },
  );
}

function addUsers(parent: Command, terminal: Terminal): void {
  paging(reading(parent, "users", "people, with what they used and cost in 30 days"), 50)
    .option("--plan <plan>", "only of this plan", planOf)
    .action(async (options: Paged & { plan?: "free" | "pro" }) => {
      const page = await administer(terminal, options, async ({ sql, clock }, workspaceId) => {
        const now = clock.now();
        const found = await peoplePage(sql, workspaceId, options, now);
        const meta = { object: "advisor_users", count: found.items.length };
        await noteReading(sql, { workspaceId, now, by: byOf(options), meta });
        return found;
      });
      printPage(terminal, options, page, peopleTable);
    });
}

const peopleTable = table<Person>("Nobody yet.", {
  "telegram id": ({ telegram_user_id }) => String(telegram_user_id),
  plan: ({ plan }) => plan,
  "last seen": ({ last_seen_at }) => (last_seen_at ? moment(last_seen_at) : "–"),
  today: ({ questions_today }) => String(questions_today),
  research: ({ research_used }) => String(research_used),
  photos: ({ photos_used }) => String(photos_used),
  pets: ({ pets }) => String(pets),
  usd: ({ cost_usd }) => cost_usd.toFixed(6),
});

interface UsageOptions extends Common {
  readonly since: Date;
  readonly until?: Date;
}

function addUsage(parent: Command, terminal: Terminal): void {
  reading(parent, "usage", "questions and what they cost, by plan")
    .addOption(
      new Option("--since <time>", "only newer than this: 30m, 2h, 7d, or a time")
        .argParser(momentOf)
        .default(new Date(Date.now() - 30 * 86_400_000), "30d"),
    )
    .option("--until <time>", "only older than this, written the same way", momentOf)
    .action(async (options: UsageOptions) => {
      const report = await administer(terminal, options, async ({ sql, clock }, workspaceId) => {
        const [from, to] = [options.since, options.until ?? clock.now()];
        return { from, to, items: await readPlanUsage(sql, workspaceId, { from, to }) };
      });
      print(terminal, options, report, () =>
        columns(
          ["PLAN", "USERS", "ACTIVE", "QUESTIONS", "FAILED", "USD"],
          report.items.map((each) => [
            each.plan,
            ...[each.users, each.active_users, each.questions, each.failed].map(String),
            each.cost_usd.toFixed(6),
          ]),
        ),
      );
    });
}

function personId(typed: string): number {
  const id = Number(typed);
  if (!/^\d{1,16}$/.test(typed) || id < 1 || id > 2 ** 52)
    throw new InvalidArgumentError("Give the number that Telegram knows the person by.");
  return id;
}

function planOf(typed: string): "free" | "pro" {
  if (typed !== "free" && typed !== "pro") throw new InvalidArgumentError("Give free or pro.");
  return typed;
}

const planTable = table<PlanView>("No plans.", {
  plan: ({ plan }) => plan,
  "questions a day": ({ questions_a_day: count }) => (count < 0 ? "no limit" : String(count)),
  wait: ({ cooldown_sec }) => `${cooldown_sec} s`,
  "talk lives": ({ session_sec }) => `${session_sec} s`,
  "research a month": ({ research_a_month }) => String(research_a_month),
  "photos a month": ({ photos_a_month }) => String(photos_a_month),
  policies: ({ policies }) => policies.join(", "),
});
