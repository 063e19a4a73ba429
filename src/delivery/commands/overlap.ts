import { secondsOf } from "../../terminal/index.ts";

/** How long an old secret works on; 0 is a time, too. For an option's value. */
export function overlapOf(typed: string): number {
  return typed === "0" ? 0 : secondsOf(typed);
}
