import { demo } from "../delivery/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import { perCore } from "../workspaces/index.ts";
import { demoClock, startDemoClock } from "./demo/clock.ts";
import { driverOf, twinOf } from "./driver.ts";
import { createGovernor } from "./governor/index.ts";
import { proxyOf } from "./login/index.ts";
import { createUseAccount } from "./use-account.ts";
import type { AccountKey } from "./work/governor.ts";

/** What planning, publishing and signing in share. */
export const accountParts = perCore((core) => {
  const { sql, clock, log, vault, keyValue, platforms, config } = core;
  /** The demo's accounts live through the past day faster than time passes; see `startDemoClock`. */
  let current: Clock = clock;
  const time: Clock = { now: () => current.now() };
  const governor = createGovernor({ sql, clock: time });
  const planning = { sql, clock: time, log, governor };
  const driver = driverOf(core);
  const reaching = { proxyOf: (account: AccountKey) => proxyOf({ sql, vault }, account) };
  return {
    driver,
    planning,
    reaching,
    isDemo: config.MOLVA_ENV === "demo" && twinOf(core) !== undefined,
    publishing: {
      ...planning,
      pace: governor,
      bots: { sql, clock, platforms },
      use: createUseAccount({ sql, ...reaching, driver }),
    },
    login: { sql, clock, vault, driver, planning },
    /** From here on the demo's time passes: begun anew by its server, joined by a command beside it. */
    async beginDemoClock() {
      current = await startDemoClock(sql, keyValue, demo.workspaceId, clock);
    },
    async joinDemoClock() {
      current = await demoClock(keyValue, clock);
    },
  };
});
