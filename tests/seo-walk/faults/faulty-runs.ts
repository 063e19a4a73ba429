/** Works that a dialogue waits for: done with each fault of each provider that they ask, then shown wherever they are waited for. */
import { z } from "zod";
import type { Flow, Stored } from "../../../src/dialogs/flow/flow.ts";
import { isWait } from "../../../src/dialogs/flow/graph.ts";
import { standIn } from "../../../src/dialogs/testing/walk.ts";
import { botFlows } from "../../../src/seo/bot/bot.ts";
import { runKey } from "../../../src/seo/bot/runs/wait-for-run.ts";
import type { BotServices } from "../../../src/seo/bot/services.ts";
import { type RunDetail, readRun } from "../../../src/seo/runs/read-runs.ts";
import { type Work, works } from "../walk-runs.ts";
import { machineWords, type Walker } from "./faulty-steps.ts";
import type { FaultyWorld } from "./faulty-world.ts";
import { objects } from "./provider-faults.ts";

/** A state that waits for a work. */
export interface Wait {
  readonly name: string;
  readonly flow: Flow<BotServices>;
  readonly state: string;
  /** Until it is published; else until it is written. */
  readonly isDelivery: boolean;
  /** As the kind of its runs is stored. */
  readonly kind: string;
  dataFor(runId: string): Stored;
}

/** The states that wait for works, by the first example of each. */
export async function waitsFor({ world }: FaultyWorld, { examples, watch }: Walker): Promise<Wait[]> {
  const waits: Wait[] = [];
  for (const flow of botFlows)
    for (const [state, shape] of Object.entries(flow.states)) {
      if (!isWait(shape)) continue;
      const name = `${flow.name}.${state}`;
      const { data: stored } = examples[name]?.[0] ?? {};
      const data = { ...flow.empty, ...(typeof stored === "function" ? await stored() : stored) };
      const [, runId] = new RegExp(`^${runKey("(.+)")}$`).exec(shape.wait.on(data)) ?? [];
      if (runId === undefined) continue;
      const [run] = await world.sql<{ kind: string }[]>`select kind from seo.runs where id = ${runId}`;
      if (!run) watch.report(`${name} has no example of what it waits for`);
      waits.push({
        ...{ name, flow, state, isDelivery: shape.buttons === undefined, kind: run?.kind ?? "" },
        dataFor: (id) => JSON.parse(JSON.stringify(data).replaceAll(runId, id)),
      });
    }
  return waits;
}

/** A provider that a work asks when all is well, and the steps in which it does. */
export interface Need {
  readonly work: Work;
  readonly provider: string;
  readonly steps: readonly string[];
}

/** What each work needs, as the journal of the providers and the steps of the run tell. */
export async function needsOfWorks({ callsDuring, runs, world }: FaultyWorld): Promise<Need[]> {
  const needs: Need[] = [];
  for (const work of works) {
    const { providers, entries } = await callsDuring(() => runs.template(work));
    const steps = await world.sql<{ name: string; began: Date; ended: Date }[]>`
      select name, started_at as began, ended_at as ended from seo.run_steps where run_id = ${await runs.template(work)}`;
    for (const provider of providers) {
      const moments = entries.filter((entry) => entry.provider === provider).map(({ at }) => at);
      const isDuring = ({ began, ended }: (typeof steps)[number]) =>
        moments.some((at) => at >= began.getTime() && at <= ended.getTime());
      // Of the object storage nobody knows when it was asked.
      const asking = provider === objects ? steps : steps.filter(isDuring);
      needs.push({ work, provider, steps: asking.map(({ name }) => name) });
    }
  }
  return needs;
}

/** How often a job is tried again before its run fails for good. */
const mostAttempts = 5;

/** Does the work from where it asks the provider, however often it has to be tried. */
export async function doneAnyhow(faulty: FaultyWorld, { work, steps }: Need): Promise<RunDetail> {
  const runId = await faulty.runs.resumed(work, steps);
  await performed(faulty, runId);
  const { whose, sql } = faulty.world;
  return readRun(sql, whose.workspaceId, runId, whose.userId);
}

/** Does the work, however often it has to be tried. */
export async function performed({ runs }: FaultyWorld, runId: string): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const isDone = await runs.perform(runId).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
}

/** Shows the end of a work to who waits for it. */
export async function shownIn(
  { harness }: FaultyWorld,
  { person, watch }: Walker,
  { name, flow, state, dataFor }: Wait,
  run: RunDetail,
  where: string,
): Promise<string> {
  await standIn(harness.sql, person, { flow, state, data: dataFor(run.run_id) });
  await person.receive({
    ...{ ...person.next(), kind: "wake", on: runKey(run.run_id), outcome: run.status, facts: {} },
  });
  if ((await person.stands()) === name) watch.report(`${where}: ${name} never ends`);
  await watch.look(person, `${name}: ${where}`);
  if (machineWords.test(person.text()))
    watch.report(`${name}: ${where}: it speaks of machines: ${person.text()}`);
  return person.text();
}

/** What its person is shown depends on this alone. */
export function endOf({ kind, status, error, result }: RunDetail): string {
  const codes = z.object({ warnings: z.array(z.object({ code: z.string() })) }).safeParse(result).data;
  return [kind, status, error?.code, ...(codes?.warnings ?? []).map(({ code }) => code)].join(" ");
}

/** What a run that came to nothing still has of its person's tokens. */
export function keptBy({ receipt }: RunDetail): number {
  return receipt.reduce((sum, { state, amount }) => sum + (state === "returned" ? 0 : amount), 0);
}

export const heldBy = ({ receipt }: RunDetail): number =>
  receipt.reduce((sum, { charged }) => sum + charged, 0);

/** Words about tokens that came back, or were never taken. */
export const saysTokens = /возвращен|возвращён|вернул|верн[её]н|не списан/i;
