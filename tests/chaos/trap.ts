import type { Moment, Point } from "./points.ts";

/** Lies in wait for one process at one point. It goes off once. */
export interface Trap {
  arm(point: Point, moment: Moment, spring: () => void): void;
  disarm(): void;
  /** Whether this point and moment is the one that is waited for; if so the trap has gone off. */
  springs(moment: Moment, matches: (point: Point) => boolean): boolean;
}

export function createTrap(): Trap {
  let armed: { point: Point; moment: Moment; spring(): void } | undefined;
  return {
    arm(point, moment, spring) {
      armed = { point, moment, spring };
    },
    disarm() {
      armed = undefined;
    },
    springs(moment, matches) {
      if (armed?.moment !== moment || !matches(armed.point)) return false;
      const { spring } = armed;
      armed = undefined;
      spring();
      return true;
    },
  };
}
