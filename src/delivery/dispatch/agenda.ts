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
  /** A send ended: its channel may start another, and be given one more if it had enough in hand. */
  freed(workspaceId: string): void;
  /** Workspaces with something due, in the order in which they asked. */
  due(): string[];
  /** Strikes out what is due, to be planned anew; what comes up meanwhile stays. Says whether to claim. */
  begin(workspaceId: string): { readonly claims: boolean };
  /** When the first of those that have nothing to do yet will have something. */
  nextAfterNow(): number;
}

/** Only an event can bring it. */
export const never = Number.POSITIVE_INFINITY;

/** A claim planned so soon waits for room, not for a slot. */
const soonMs = 100;

export function createAgenda(clock: Clock): Agenda {
  const workspaces = new Map<string, Times>();
  const now = () => clock.now().getTime();

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
    freed(workspaceId) {
      const { claimAt = never } = workspaces.get(workspaceId) ?? {};
      plan(workspaceId, { startAt: 0, claimAt: claimAt <= now() + soonMs ? 0 : never });
    },
    due: () =>
      [...workspaces].filter(([, times]) => first(times) <= now()).map(([workspaceId]) => workspaceId),
    begin(workspaceId) {
      const { claimAt = never } = workspaces.get(workspaceId) ?? {};
      const claims = claimAt <= now();
      workspaces.delete(workspaceId);
      if (!claims) plan(workspaceId, { claimAt });
      return { claims };
    },
    nextAfterNow: () => Math.min(never, ...[...workspaces.values()].map(first).filter((at) => at > now())),
  };
}

const first = ({ claimAt, startAt }: Times) => Math.min(claimAt, startAt);
