import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type AddCommand,
  administer,
  type Common,
  columns,
  moment,
  momentOf,
  type Paged,
  paging,
  print,
  printPage,
  reading,
  type Terminal,
  table,
} from "../../terminal/index.ts";
import { type InstallationCap, listInstallationCaps } from "../budgets/installation.ts";
import { type CallView, callPage, type Grouping, groupings, readUsage } from "../usage/usage.ts";
import { addLlmBudget } from "./llm-budget.ts";
import { addLlmPolicy } from "./llm-policy.ts";
import { addLlmPrice } from "./llm-price.ts";
import { addLlmPrompt } from "./llm-prompt.ts";
import { withGateway } from "./with-gateway.ts";

/** `molva llm policy|price|prompt|budget|usage|calls`. */
export const addLlm: AddCommand = (program, terminal) => {
  const command = program
    .command("llm")
    .description("language models: policies, prompts, prices, budgets and usage");
  addLlmPolicy(command, terminal);
  addLlmPrice(command, terminal);
  addLlmPrompt(command, terminal);
  addLlmBudget(command, terminal);
  addUsage(command, terminal);
  addCalls(command, terminal);
};

interface UsageOptions extends Common {
  readonly by: readonly Grouping[];
  readonly since: Date;
  readonly until?: Date;
  readonly policy?: string;
  readonly user?: string;
}

function addUsage(parent: Command, terminal: Terminal): void {
  reading(parent, "usage", "usage and cost of language models")
    .addOption(
      new Option("--by <list>", `a line for each: ${groupings.join(", ")}; several with commas`)
        .argParser(groupingsOf)
        .default(["day"], "day"),
    )
    .addOption(
      new Option("--since <time>", "only newer than this: 30m, 2h, 7d, or a time")
        .argParser(momentOf)
        .default(new Date(Date.now() - 30 * 86_400_000), "30d"),
    )
    .option("--until <time>", "only older than this, written the same way", momentOf)
    .option("--policy <key>", "only of this policy")
    .option("--user <id>", "only on behalf of this user")
    .action(async (options: UsageOptions) => {
      const { by, since: from, policy, user: userId } = options;
      const report = await withGateway(terminal, options, async ({ sql, clock }, workspaceId) => {
        const to = options.until ?? clock.now();
        const items = await readUsage(sql, workspaceId, { from, to, by, policy, userId });
        return { from, to, items, installation: await listInstallationCaps(sql, clock.now()) };
      });
      print(terminal, options, report, () =>
        [usageTable(report.items, by), ...report.installation.map(installationLine)].join("\n"),
      );
    });
}

function usageTable(items: readonly UsageRow[], by: readonly Grouping[]): string {
  return items.length === 0
    ? "Nothing was asked in this time."
    : columns(
        [
          ...by.map((each) => each.toUpperCase()),
          "CALLS",
          "FAILED",
          "REQUESTS",
          "TOKENS IN",
          "TOKENS OUT",
          "USD",
        ],
        items.map((row) => [
          ...by.map((each) => nameIn(row, each)),
          ...[row.calls, row.failed, row.requests, row.prompt_tokens, row.completion_tokens].map(String),
          row.cost_usd.toFixed(6),
        ]),
      );
}

function installationLine({ period, unit, cap, used }: InstallationCap): string {
  return `All workspaces together: ${used} of ${cap} ${unit} this ${period}.`;
}

type UsageRow = Awaited<ReturnType<typeof readUsage>>[number];

function nameIn(row: UsageRow, grouping: Grouping): string {
  if (grouping === "model") return `${row.provider} ${row.model}`;
  if (grouping === "user") return row.user_id ?? "–";
  return row[grouping] ?? "–";
}

function groupingsOf(typed: string): Grouping[] {
  const named = typed.split(",").map((word) => groupings.find((each) => each === word.trim()));
  const known = named.filter((each) => each !== undefined);
  if (known.length < named.length)
    throw new InvalidArgumentError(`Give ${groupings.join(", ")}, or several with commas.`);
  return known;
}

interface CallsOptions extends Paged {
  readonly policy?: string;
  readonly user?: string;
}

function addCalls(parent: Command, terminal: Terminal): void {
  paging(reading(parent, "calls", "the latest calls and their results; texts are not stored"), 20)
    .option("--policy <key>", "only of this policy")
    .option("--user <id>", "only on behalf of this user")
    .action(async (options: CallsOptions) => {
      const page = await administer(terminal, options, ({ sql }, workspaceId) =>
        callPage(sql, workspaceId, { ...options, user_id: options.user }),
      );
      printPage(terminal, options, page, callTable);
    });
}

const callTable = table<CallView>("No calls.", {
  started: ({ started_at }) => moment(started_at),
  policy: ({ policy }) => policy,
  model: ({ requests }) => requests.at(-1)?.model ?? "–",
  ended: ({ code, status }) => code ?? status,
  requests: ({ requests }) => String(requests.length),
  usd: ({ cost_usd }) => (cost_usd ?? 0).toFixed(6),
  user: ({ user_id }) => user_id ?? "–",
});
