import type { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Said } from "../said.ts";
import type { Stage } from "./texts.ts";

/** A kind of work: what it takes, what comes of it, and how it is done. */
export interface RunSpec<Input, Result> {
  /** `article`, `keywords`, … */
  readonly kind: string;
  readonly title: Said;
  readonly input: z.ZodType<Input>;
  /**
   * Does the work. It may be called again after a crash or a deploy: everything that costs or has an effect is in steps, which
   * are done once. A `RunFailure` ends the run and returns its tokens; any other error is retried, from the first step that was
   * not done.
   */
  work(run: RunScope, input: Input): Promise<WorkEnd<Result>>;
  /**
   * Ends a regeneration that failed for good through our fault: what the round before ended with stays, and this round costs
   * nothing. Without it such a run fails.
   */
  keepBefore?(run: RunScope): Promise<WorkEnd<Result>>;
}

/** A kind of work whose types only its orderers know. */
export interface AnyRunKind {
  readonly kind: string;
  readonly title: Said;
  /** `work`, with the stored input. */
  perform(run: RunScope, input: unknown): Promise<WorkEnd<unknown>>;
  keepBefore?(run: RunScope): Promise<WorkEnd<unknown>>;
}

export interface RunKind<Input, Result> extends Omit<AnyRunKind, "keepBefore">, RunSpec<Input, Result> {}

export function defineRun<Input, Result>(spec: RunSpec<Input, Result>): RunKind<Input, Result> {
  return { ...spec, perform: async (run, input) => spec.work(run, spec.input.parse(input)) };
}

/** How the work ends, for now or for good. */
export interface WorkEnd<Result> {
  /** `done` settles the tokens. With `review` or `publishing` they stay held. */
  readonly status: "done" | "review" | "publishing";
  readonly result: Result;
  /** Writes that belong to the end: they and the end are one transaction. */
  readonly also?: ((tx: Transaction) => Promise<void>) | undefined;
}

/** A run while it is worked on. */
export interface RunScope {
  readonly workspaceId: string;
  readonly userId: number;
  readonly runId: string;
  /** 0, and one more for each regeneration. */
  readonly round: number;
  readonly origin: "person" | "schedule";
  readonly createdAt: Date;
  /** Fires when the process must stop or the run was given to another. */
  readonly signal: AbortSignal;
  /**
   * Does a step once. If it was done before, its stored result is returned. Stops the run here if the person wants that.
   * Steps with different names may be done at the same time.
   *
   * @example
   * const found = await run.step("search", { result: serpSchema, stage: "search", shared: true }, async (step) => {
   *   const answer = await serper.search(phrase);
   *   step.note("asked", { phrase });
   *   return answer;
   * });
   */
  step<T>(name: string, spec: StepSpec<T>, work: (step: StepScope) => Promise<T>): Promise<T>;
}

export interface StepSpec<T> {
  /** What the step returns: it is stored as JSON. */
  readonly result: z.ZodType<T>;
  /** What the person reads meanwhile; as before if absent. */
  readonly stage?: Stage;
  /** Whether a regeneration may use the result of the round before: for facts that were read, not for what was written. */
  readonly shared?: boolean;
}

export interface StepScope {
  readonly signal: AbortSignal;
  /** Keeps what the step read, asked or noticed, for people who look into the run. */
  note(what: string, facts?: Readonly<Record<string, unknown>>): void;
  /** Keeps a call of a provider with its cost. */
  call(call: ProviderCall): void;
}

export interface ProviderCall {
  readonly provider: string;
  readonly callId?: string | undefined;
  readonly model?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly costUsd?: number | undefined;
  readonly ms?: number | undefined;
}
