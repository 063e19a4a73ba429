import { TOTP } from "otpauth";
import type { ManualClock } from "../../kernel/clock/index.ts";

/** A phone with an authenticator app; its clock may be off by some steps. */
export function authenticator(secret: string, clock: ManualClock) {
  const totp = new TOTP({ secret });
  return {
    code: (stepsOff = 0) => totp.generate({ timestamp: clock.now().getTime() + stepsOff * 30_000 }),
    /** Waits for the next code, because each is good once. */
    fresh() {
      clock.advance(30_000);
      return this.code();
    },
  };
}
