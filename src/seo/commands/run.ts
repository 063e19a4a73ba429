import { Option } from "commander";
import { silentLog } from "../../kernel/log/index.ts";
import {
  addList,
  administer,
  type Common,
  checked,
  columns,
  facts,
  inWorkspace,
  moment,
  type Paged,
  print,
  printing,
  reading,
  shortened,
  table,
  wholeId,
} from "../../terminal/index.ts";
import { userIdText } from "../people/whose.ts";
import { createRuns } from "../runs/create-runs.ts";
import { type RunDetail, type RunView, readRun, runColumn, runPage } from "../runs/read-runs.ts";
import { cancelRun } from "../runs/run-routes.ts";
import { type RunStatus, runStatuses } from "../runs/run-row.ts";
import type { AddSeoCommand } from "./seo.ts";

interface ListOptions extends Paged {
  readonly user?: string;
  readonly kind?: string;
  readonly status?: RunStatus;
}

/** `molva seo run list|show|cancel`. */
export const addRun: AddSeoCommand = (seo, terminal) => {
  const command = seo.command("run").description("work that is done for people: steps, cost, tokens");

  addList<RunView, ListOptions>(command, terminal, {
    about: "runs, the newest first",
    choosing: (list) =>
      list
        .option("--user <id>", "only of the person with this Telegram id")
        .option("--kind <kind>", "only of this kind: article, keywords, …")
        .addOption(new Option("--status <status>", "only in this status").choices(runStatuses)),
    page: ({ sql }, workspaceId, { user, ...options }) =>
      runPage(sql, workspaceId, {
        ...options,
        ...(user !== undefined && { user_id: checked(userIdText, user, "--user") }),
      }),
    shown: runTable,
  });

  reading(command, "show", "a run: what each step read, asked, cost and how long it took")
    .argument("<run>", "its id, or the beginning of it")
    .action(async (typed: string, options: Common) => {
      const run = await administer(terminal, options, async ({ sql }, workspaceId) =>
        readRun(sql, workspaceId, await wholeId(sql, workspaceId, runColumn, typed)),
      );
      print(terminal, options, run, () => runText(run));
    });

  inWorkspace(printing(command.command("cancel").description("stop a run and return its tokens")))
    .argument("<run>", "its id, or the beginning of it")
    .action(async (typed: string, options: Common) => {
      const [runId, ended] = await administer(terminal, options, async (deps, workspaceId) => {
        const id = await wholeId(deps.sql, workspaceId, runColumn, typed);
        const runs = createRuns({ ...deps, log: silentLog, kinds: [] });
        return [id, await cancelRun(runs, deps.sql, workspaceId, id)] as const;
      });
      print(terminal, options, { run_id: runId, ended }, () =>
        ended === "cancelled"
          ? "The run is cancelled; its tokens were returned."
          : "The run stops before its next step; then its tokens are returned.",
      );
    });
};

const runTable = table<RunView>("No runs.", {
  run: ({ run_id }) => run_id.slice(0, 13),
  user: ({ user_id }) => String(user_id),
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  tokens: ({ tokens }) => String(tokens),
  "cost usd": ({ cost_usd }) => cost_usd.toFixed(4),
  begun: ({ created_at }) => moment(created_at),
  error: ({ error }) => shortened(error?.message.en ?? "", 60),
});

function runText(run: RunDetail): string {
  const head = facts([
    ["run", run.run_id],
    ["kind", run.kind],
    ["person", String(run.user_id)],
    ["status", run.status],
    ["doing", run.stage?.en],
    ["regenerations", run.round > 0 ? String(run.round) : undefined],
    ["begun", moment(run.created_at)],
    ["ended", moment(run.ended_at)],
    ["error", run.error ? `${run.error.message.en} (${run.error.code})` : undefined],
    ["cost", `$${run.cost_usd.toFixed(4)}`],
    ["tokens", run.receipt.map(holdText).join("; ") || "none"],
  ]);
  const steps = columns(
    ["STEP", "STATUS", "MS", "COST USD", "WHAT"],
    run.steps.map(({ round, name, status, ms, cost_usd, notes, calls, error }) => [
      round > 0 ? `${name} (${round})` : name,
      status,
      ms === null ? "" : String(ms),
      cost_usd > 0 ? cost_usd.toFixed(4) : "",
      shortened(error ?? [...calls.map(callText), ...notes.map(noteText)].join("; "), 100),
    ]),
  );
  return run.steps.length > 0 ? `${head}\n\n${steps}` : head;
}

const holdText = ({ operation, charged, amount, state, reason }: RunDetail["receipt"][number]) =>
  `${operation} ${amount}${amount === charged ? "" : ` of ${charged}`} ${state}${reason ? ` (${reason})` : ""}`;

const callText = ({ provider, model }: Readonly<Record<string, unknown>>) =>
  model ? `${provider} ${model}` : String(provider);

const noteText = ({ what, facts: known }: Readonly<Record<string, unknown>>) =>
  known ? `${what} ${JSON.stringify(known)}` : String(what);
