import type { Moment, Point } from "./points.ts";

/** Waits for one process to reach one point. It triggers once. */
export interface Trap {
  arm(point: Point, moment: Moment, spring: () => void): void;
  disarm(): void;
  /** Whether this is the expected point and moment; if so, the trap has triggered. */
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
