import type { Command } from "commander";
import { inWorkspace, print, printing, type Terminal, withCore } from "../../terminal/index.ts";
import type { Ordered } from "../orders/begin-work.ts";
import { type SeoDeps, seoParts, type Workshop, workshopOf } from "../parts.ts";
import type { Whose } from "../people/whose.ts";
import type { RunDetail } from "../runs/read-runs.ts";
import { followRun, orderedText, type Waiting, waiting } from "./follow-run.ts";
import { type ForPerson, forPerson } from "./for-person.ts";

export type OrderOptions = ForPerson & Waiting;

/** Adds a subcommand that orders work for a person and may wait for its end. */
export const ordering = (parent: Command, name: string, about: string) =>
  waiting(forPerson(inWorkspace(printing(parent.command(name).description(about)))));

/** Orders work, and prints what was ordered, or with `--wait` what came of it. */
export async function orderAndPrint(
  terminal: Terminal,
  options: OrderOptions,
  order: (deps: SeoDeps & Workshop, whose: Whose) => Promise<Ordered>,
  shown: (run: RunDetail) => string,
): Promise<void> {
  const { wait = false } = options;
  const [ordered, run] = await withCore(terminal, options, async (core, workspaceId) => {
    const deps = { ...seoParts(core), ...workshopOf(core) };
    const made = await order(deps, { workspaceId, userId: options.user });
    return [made, wait ? await followRun(terminal, core.sql, workspaceId, made) : undefined] as const;
  });
  if (!run) return print(terminal, options, ordered, () => orderedText(ordered));
  print(terminal, options, { run_id: run.run_id, status: run.status, result: run.result }, () => shown(run));
}
