import { momentOf, secondsOf } from "../../terminal/index.ts";

/** A moment that depends on the clock of the installation, which a demo may have moved. */
export type Ahead = (now: Date) => Date;

/** For an option's value: `2h` is in two hours; everything else is a time. */
export function aheadOf(typed: string): Ahead {
  if (!/^\d+[smhd]$/.test(typed)) {
    const at = momentOf(typed);
    return () => at;
  }
  const ms = secondsOf(typed) * 1000;
  return (now) => new Date(now.getTime() + ms);
}
