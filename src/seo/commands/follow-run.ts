import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import type { Sql } from "../../kernel/db/index.ts";
import { type Terminal, UserError } from "../../terminal/index.ts";
import type { Ordered } from "../orders/begin-work.ts";
import { type RunDetail, readRun } from "../runs/read-runs.ts";

export interface Waiting {
  readonly wait?: boolean;
}

export const waiting = (command: Command) =>
  command.option("--wait", "show how it goes until it ends; a server has to be running");

const lookMs = 500;
const over = new Set(["done", "failed", "cancelled", "expired", "review"]);

/** Shows the stages of a run until a person has to decide on it or it has ended; throws if it failed. */
export async function followRun(
  terminal: Terminal,
  sql: Sql,
  workspaceId: string,
  { run_id: runId }: Ordered,
): Promise<RunDetail> {
  let shown: string | undefined;
  for (;;) {
    const run = await readRun(sql, workspaceId, runId);
    const stage = run.stage?.en ?? (run.status === "queued" ? "Waiting for its turn..." : undefined);
    if (stage && stage !== shown) terminal.err(stage);
    shown = stage ?? shown;
    if (run.status === "failed")
      throw new UserError(run.error?.message.en ?? "The run failed; `molva seo run show` says why.");
    if (over.has(run.status)) return run;
    await pause(lookMs);
  }
}

export const orderedText = ({ run_id, repeated, tokens }: Ordered) =>
  `${repeated ? "Ordered before" : `Ordered for ${tokens} tokens`}: molva seo run show ${run_id.slice(0, 13)}`;
