import { type Command, InvalidArgumentError, Option } from "commander";
import { settingsOf } from "../../kernel/config/index.ts";
import {
  type AddCommand,
  administer,
  byOf,
  type Common,
  checked,
  columns,
  inWorkspace,
  justifying,
  moment,
  momentOf,
  type Paged,
  paging,
  print,
  printPage,
  type Terminal,
  table,
  UserError,
  viewing,
  withCore,
} from "../../terminal/index.ts";
import { reason } from "../../workspaces/index.ts";
import { checkEverything } from "../books/compare-providers.ts";
import { type Report, readReport } from "../books/report.ts";
import { billingSettings } from "../environment.ts";
import { paymentProviders } from "../parts.ts";
import { adjust } from "../people/adjust.ts";
import { movementPage, peoplePage } from "../people/people.ts";
import { type Movement, type Person, userId } from "../people/shape.ts";
import { addSales } from "./sales.ts";

/** `molva billing users|movements|adjust|payments|refund|subscriptions|cancel|check|report`. */
export const addBilling: AddCommand = (program, terminal) => {
  const command = program.command("billing").description("tokens and money: balances, books, reports");
  addUsers(command, terminal);
  addMovements(command, terminal);
  addAdjust(command, terminal);
  addSales(command, terminal);
  addCheck(command, terminal);
  addReport(command, terminal);
};

interface UsersOptions extends Paged {
  readonly owing?: boolean;
}

function addUsers(parent: Command, terminal: Terminal): void {
  paging(viewing(parent.command("users").description("people with their balances, the newest first")))
    .option("--owing", "only those whose balance is below zero")
    .action(async (options: UsersOptions) => {
      const page = await administer(terminal, options, ({ sql }, workspaceId) =>
        peoplePage(sql, workspaceId, options),
      );
      printPage(terminal, options, page, peopleTable);
    });
}

function addMovements(parent: Command, terminal: Terminal): void {
  paging(viewing(parent.command("movements").description("what a person spent and got, the newest first")))
    .argument("<user>", "the person's Telegram id")
    .action(async (user: string, options: Paged) => {
      const id = checked(userId, user, "user");
      const page = await administer(terminal, options, ({ sql }, workspaceId) =>
        movementPage(sql, workspaceId, id, options),
      );
      printPage(terminal, options, page, movementTable);
    });
}

interface AdjustOptions extends Common {
  readonly reason: string;
  readonly key?: string;
}

function addAdjust(parent: Command, terminal: Terminal): void {
  inWorkspace(justifying(parent.command("adjust").description("give a person tokens, or take some")))
    .argument("<user>", "the person's Telegram id")
    .argument("<tokens>", "+500 to give, -500 to take (after --)", tokensIn)
    .option("--key <text>", "done again under this key, it changes nothing")
    .action(async (user: string, tokens: number, options: AdjustOptions) => {
      const id = checked(userId, user, "user");
      const by = { ...byOf(options), reason: checked(reason, options.reason, "--reason") };
      const done = await administer(terminal, options, (deps, workspaceId) =>
        adjust(deps, workspaceId, { userId: id, tokens, key: options.key }, by),
      );
      print(terminal, options, done, () => `${done.user_id} has ${done.balance} tokens now.`);
    });
}

function addCheck(parent: Command, terminal: Terminal): void {
  viewing(parent.command("check").description("prove the books, or say where they are wrong")).action(
    async (options: Common) => {
      const check = await withCore(terminal, options, (core, workspaceId) =>
        checkEverything(core.sql, paymentProviders(core), workspaceId, core.clock.now()),
      );
      print(terminal, options, check, () =>
        [
          `${check.transfers} transfers of ${check.people} people; ${check.held} tokens held for work, ${check.debt} owed.`,
          ...(check.right ? ["The books are right."] : check.findings.map(({ message }) => message)),
        ].join("\n"),
      );
      if (!check.right) throw new UserError("The books are wrong; nothing was changed.");
    },
  );
}

interface ReportOptions extends Common {
  readonly since: Date;
  readonly until?: Date;
  readonly daily?: boolean;
}

function addReport(parent: Command, terminal: Terminal): void {
  viewing(parent.command("report").description("tokens sold and spent, cost and margin, by day and by work"))
    .addOption(
      new Option("--since <time>", "only newer than this: 30m, 2h, 7d, or a time")
        .argParser(momentOf)
        .default(new Date(Date.now() - 30 * 86_400_000), "30d"),
    )
    .option("--until <time>", "only older than this, written the same way", momentOf)
    .option("--daily", "the work of each day by itself")
    .action(async (options: ReportOptions) => {
      const report = await withCore(terminal, options, (core, workspaceId) =>
        readReport(core.sql, workspaceId, {
          from: options.since,
          to: options.until ?? core.clock.now(),
          usdRub: settingsOf(core, billingSettings).USD_RUB_RATE,
        }),
      );
      print(terminal, options, report, () => reportText(report, options.daily === true));
    });
}

function reportText({ days, operations, usd_rub, token_rub }: Report, isDaily: boolean): string {
  if (days.length === 0) return "Nothing was sold or spent in this time.";
  const money = (rub: number, stars: number) =>
    [rub !== 0 && `${rub} ₽`, stars !== 0 && `${stars} ★`].filter(Boolean).join(", ") || "0";
  const works = isDaily
    ? days.flatMap((day) => day.operations.map((work) => ({ day: day.day, ...work })))
    : operations.map((work) => ({ day: undefined, ...work }));
  return [
    columns(
      [
        "DAY",
        "PAID",
        "GIVEN BACK",
        "SOLD",
        "GIVEN",
        "TAKEN BACK",
        "SPENT",
        "COST USD",
        "COST RUB",
        "MARGIN RUB",
      ],
      days.map((row) => [
        row.day,
        money(row.revenue_rub, row.revenue_stars),
        money(row.refunded_rub, row.refunded_stars),
        ...[row.tokens_sold, row.tokens_given, row.tokens_taken_back, row.tokens_spent].map(String),
        ...[row.cost_usd.toFixed(4), row.cost_rub.toFixed(2), row.margin_rub.toFixed(2)],
      ]),
    ),
    columns(
      [...(isDaily ? ["DAY"] : []), "WORK", "TIMES", "TOKENS", "COST USD", "COST RUB", "MARGIN RUB"],
      works.map(({ day, ...row }) => [
        ...(day === undefined ? [] : [day]),
        ...[row.operation ?? "–", String(row.works), String(row.tokens_spent)],
        ...[row.cost_usd.toFixed(4), row.cost_rub.toFixed(2), row.margin_rub.toFixed(2)],
      ]),
    ),
    `Payments in Stars count as Stars and at their nominal price in roubles. A token is counted as ${token_rub} roubles (billing settings), a dollar as ${usd_rub} (USD_RUB_RATE).`,
  ].join("\n\n");
}

function tokensIn(typed: string): number {
  if (!/^[+-]?[1-9]\d{0,8}$/.test(typed))
    throw new InvalidArgumentError("Give a whole number: 500 to give, -500 to take.");
  return Number(typed);
}

const peopleTable = table<Person>("Nobody has an account yet.", {
  user: ({ user_id }) => String(user_id),
  balance: ({ balance }) => String(balance),
  held: ({ held }) => String(held),
  since: ({ created_at }) => moment(created_at),
});

const movementTable = table<Movement>("Nothing has moved.", {
  time: ({ created_at }) => moment(created_at),
  tokens: ({ amount }) => String(amount),
  what: ({ operation_type }) => operation_type,
  note: ({ description }) => description ?? "",
});
