import type { Clock } from "../../kernel/clock/index.ts";

/** When a workspace has something to claim, to start and to correct, in milliseconds of the clock. */
export interface Times {
  readonly claimAt: number;
  readonly startAt: number;
  readonly correctAt: number;
}

/** When each workspace has its next work, as far as this process knows. */
export interface Agenda {
  /** Keeps the earlier of the known and the given time. */
  plan(workspaceId: string, times: Partial<Times>): void;
  /** Anything may have changed: checks everything of the workspace. */
  rouse(workspaceId: string): void;
  /** There may be corrections to start; workspaces without any are not queried for them. */
  rouseCorrections(workspaceId: string): void;
  /** A send ended: its channel may start another delivery, and claim one more if it was at its limit. */
  freed(workspaceId: string): void;
  /** Workspaces with due work, in the order in which they asked. */
  due(): string[];
  /** Removes what is due, to be planned again, and returns it; work that is planned meanwhile stays. */
  begin(workspaceId: string): {
    readonly claims: boolean;
    readonly starts: boolean;
    readonly corrects: boolean;
  };
  /** When the first of the workspaces without due work will have some. */
  nextAfterNow(): number;
}

/** Only an event can bring work. */
export const never = Number.POSITIVE_INFINITY;

/** A claim that is planned so soon waits for a free place, not for a slot. */
const soonMs = 100;

export function createAgenda(clock: Clock): Agenda {
  const workspaces = new Map<string, Times>();
  const now = () => clock.now().getTime();

  function plan(
    workspaceId: string,
    { claimAt = never, startAt = never, correctAt = never }: Partial<Times>,
  ): void {
    const known = workspaces.get(workspaceId);
    const times = {
      claimAt: Math.min(claimAt, known?.claimAt ?? never),
      startAt: Math.min(startAt, known?.startAt ?? never),
      correctAt: Math.min(correctAt, known?.correctAt ?? never),
    };
    if (first(times) < never) workspaces.set(workspaceId, times);
  }

  return {
    plan,
    rouse: (workspaceId) => plan(workspaceId, { claimAt: 0, startAt: 0 }),
    rouseCorrections: (workspaceId) => plan(workspaceId, { correctAt: 0 }),
    freed(workspaceId) {
      const { claimAt = never } = workspaces.get(workspaceId) ?? {};
      plan(workspaceId, { startAt: 0, claimAt: claimAt <= now() + soonMs ? 0 : never });
    },
    due: () =>
      [...workspaces].filter(([, times]) => first(times) <= now()).map(([workspaceId]) => workspaceId),
    begin(workspaceId) {
      const { claimAt = never, startAt = never, correctAt = never } = workspaces.get(workspaceId) ?? {};
      const [claims, starts, corrects] = [claimAt <= now(), startAt <= now(), correctAt <= now()];
      workspaces.delete(workspaceId);
      plan(workspaceId, {
        ...(!claims && { claimAt }),
        // Claimed deliveries are started in the same pass.
        ...(!claims && !starts && { startAt }),
        ...(!corrects && { correctAt }),
      });
      return { claims, starts, corrects };
    },
    nextAfterNow: () => Math.min(never, ...[...workspaces.values()].map(first).filter((at) => at > now())),
  };
}

const first = ({ claimAt, startAt, correctAt }: Times) => Math.min(claimAt, startAt, correctAt);
