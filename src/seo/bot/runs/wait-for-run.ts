/** A state that waits for a run: one message with its stage and time, and a button that stops it. */
import type { Outcome, StepContext, Text, WaitState, Words } from "../../../dialogs/index.ts";
import { type RunStatus, runStatuses } from "../../runs/run-row.ts";
import { type Stage, stages } from "../../runs/texts.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";

export interface RunWait<Data, Name extends string> {
  readonly ask: Words<Data, Text>;
  runId(data: Data): string;
  /** By the status in which the run comes to rest; `failed` also stands for those that are not named. */
  readonly outcomes: Partial<Record<RunStatus, Outcome<Data, Name, BotServices>>> & {
    readonly failed: Outcome<Data, Name, BotServices>;
  };
  /** Whether the work can be stopped by a button; yes unless given. */
  readonly cancellable?: boolean;
  /** Stages of the run at which another state takes over the wait. */
  readonly stages?: Partial<Record<Stage, Name>>;
}

const working: ReadonlySet<RunStatus> = new Set(["queued", "running", "publishing"]);

export function waitForRun<Data, Name extends string>({
  ask,
  runId,
  outcomes,
  cancellable = true,
  stages: handedOver = {},
}: RunWait<Data, Name>): WaitState<Data, Name, BotServices> {
  const ends = runStatuses.filter((status) => outcomes[status] !== undefined || !working.has(status));
  const next = new Map(Object.entries(handedOver));
  return {
    ask,
    wait: {
      on: (data) => runKey(runId(data)),
      outcomes: {
        ...Object.fromEntries([...next].map(([stage, to]) => [stage, { to }])),
        ...Object.fromEntries(ends.map((status) => [status, outcomes[status] ?? outcomes.failed])),
      },
      async look(turn) {
        const { sql, data, language, now } = turn;
        const { workspaceId, userId } = whoseOf(turn);
        const [run] = await sql<{ status: RunStatus; stage: string | null; created_at: Date }[]>`
          select status, stage, created_at from seo.runs
          where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${runId(data)}`;
        if (!run) return { outcome: "failed" };
        if (ends.includes(run.status)) return { outcome: run.status };
        if (run.stage !== null && next.has(run.stage)) return { outcome: run.stage };
        const known = Object.entries(stages).find(([name]) => name === run.stage)?.[1] ?? stages.waiting;
        const seconds = Math.max(0, Math.round((now.getTime() - run.created_at.getTime()) / 1_000));
        const words = typeof ask === "function" ? ask(data, language) : ask[language];
        const title = typeof words === "string" ? words : words.markdown;
        return `${title}\n\n${known[language]}\n${texts[language].runs.elapsed(clockOf(seconds))}`;
      },
    },
    ...(cancellable && {
      buttons: {
        cancel: {
          label: both((t) => t.common.cancel),
          to: "@stay",
          press: async (turn: StepContext<Data, BotServices>) => {
            await inStep(turn).runs.cancel({ ...whoseOf(turn), runId: runId(turn.data) });
            return { notice: texts[turn.language].runs.stopping };
          },
        },
      },
    }),
  };
}

/** What the bot waits on, and what whoever ends the run wakes. */
export const runKey = (runId: string) => `run:${runId}`;

const clockOf = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
