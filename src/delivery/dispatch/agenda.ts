import type { Clock } from "../../kernel/clock/index.ts";

/** When a workspace has something to claim and something to start, in milliseconds of the clock. */
export interface Times {
  readonly claimAt: number;
  readonly startAt: number;
}

/** What each workspace has to do next, as far as this process knows. */
export interface Agenda {
  /** The earlier of what was known and what is given stays. */
  plan(workspaceId: string, times: Partial<Times>): void;
  /** Anything may have changed: look at all of it. */
  rouse(workspaceId: string): void;
  /** A send ended, so that its channel may start another. */
  freed(workspaceId: string): void;
  /** Workspaces with something due, in the order in which they asked. */
  due(): string[];
  /** Strikes out what is due, to be planned anew; what comes up meanwhile stays. Says whether to claim. */
  begin(workspaceId: string): { readonly claims: boolean };
  /** When the first of them has something to do. */
  nextAt(): number;
}

/** Only an event can bring it. */
export const never = Number.POSITIVE_INFINITY;

export function createAgenda(clock: Clock): Agenda {
  const workspaces = new Map<string, Times>();

  function plan(workspaceId: string, { claimAt = never, startAt = never }: Partial<Times>): void {
    const known = workspaces.get(workspaceId);
    const times = {
      claimAt: Math.min(claimAt, known?.claimAt ?? never),
      startAt: Math.min(startAt, known?.startAt ?? never),
    };
    if (first(times) < never) workspaces.set(workspaceId, times);
  }

  return {
    plan,
    rouse: (workspaceId) => plan(workspaceId, { claimAt: 0, startAt: 0 }),
    freed: (workspaceId) => plan(workspaceId, { startAt: 0 }),
    due() {
      const now = clock.now().getTime();
      return [...workspaces].filter(([, times]) => first(times) <= now).map(([workspaceId]) => workspaceId);
    },
    begin(workspaceId) {
      const claimAt = workspaces.get(workspaceId)?.claimAt ?? never;
      const claims = claimAt <= clock.now().getTime();
      workspaces.delete(workspaceId);
      if (!claims) plan(workspaceId, { claimAt });
      return { claims };
    },
    nextAt: () => Math.min(never, ...[...workspaces.values()].map(first)),
  };
}

const first = ({ claimAt, startAt }: Times) => Math.min(claimAt, startAt);
