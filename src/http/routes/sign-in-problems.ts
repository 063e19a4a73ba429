import { inTime } from "../../kernel/words/index.ts";
import { problem } from "../problems/index.ts";

export function throttled(seconds: number) {
  return problem("signin_throttled", {
    detail: `Too many attempts. Try again ${inTime(seconds, "en")}.`,
    headers: { "retry-after": String(seconds) },
  });
}

export function busy(seconds: number) {
  return problem("signin_busy", { headers: { "retry-after": String(seconds) } });
}
