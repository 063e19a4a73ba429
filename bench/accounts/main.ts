import { rounded } from "../shared/figures.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { table } from "../shared/table.ts";
import { compare } from "./compare.ts";

/** Bans and messages of accounts with the governor and without it, beside a planner that knows every hidden threshold. */
export function main(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      seed: { type: "string" },
      days: { type: "string" },
      "account-days": { type: "string" },
    },
  });
  const say = reporter(values.json);
  const seed = numberOf("seed", values.seed, 1);
  const days = numberOf("days", values.days, 100);
  const accountDays = numberOf("account-days", values["account-days"], 10_000);
  say(`seed ${seed}: ${accountDays} account-days, ${days} days each …`);
  const began = Date.now();
  const { governed, ungoverned, optimum } = compare({ seed, days, accountDays });
  const share = (sent: number) => rounded(sent / optimum.sent, 3);
  say(
    `\n${table([
      ["", "account-days", "bans", "sent", "share of optimum", "flood waits", "restrictions", "slow modes"],
      ...Object.entries({ governed, ungoverned }).map(([name, { accountDays, bans, sent, answers }]) => [
        name,
        accountDays,
        bans,
        sent,
        share(sent),
        answers.flood_wait,
        answers.peer_flood,
        answers.slow_mode,
      ]),
      ["optimum", optimum.accountDays, 0, optimum.sent, 1, 0, 0, 0],
    ])}`,
  );
  const weeks = optimum.byWeek.map((best, week) => rounded((governed.byWeek[week] ?? 0) / best));
  say(`\nshare of the optimum by week of life: ${weeks.join(" ")}`);
  say(`${rounded((Date.now() - began) / 1000, 1)} s`);
  if (!values.json) return;
  const result = {
    seed,
    account_days: governed.accountDays,
    bans: governed.bans,
    sent: governed.sent,
    optimum: optimum.sent,
    share: share(governed.sent),
    answers: governed.answers,
    share_by_week: weeks,
    without_governor: {
      bans: ungoverned.bans,
      sent: ungoverned.sent,
      share: share(ungoverned.sent),
      answers: ungoverned.answers,
    },
  };
  console.log(JSON.stringify(result));
}
