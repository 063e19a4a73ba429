import { demo } from "../delivery/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import { perCore } from "../workspaces/index.ts";
import { demoClock, startDemoClock } from "./demo/demo-clock.ts";
import { driverOf, twinOf } from "./driver.ts";
import { createGovernor } from "./governor/governor.ts";
import { proxyOf } from "./login/account-proxies.ts";
import { createUseAccount } from "./use-account.ts";
import type { AccountKey } from "./work/governor-contract.ts";

export const accountParts = perCore((core) => {
  const { sql, clock, log, vault, keyValue, platforms, config } = core;
  /** In the demo replaced by the demo clock; see `startDemoClock`. */
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
    /** The server starts the demo clock; a command beside it joins it. */
    async beginDemoClock() {
      current = await startDemoClock(sql, keyValue, demo.workspaceId, clock);
    },
    async joinDemoClock() {
      current = await demoClock(keyValue, clock);
    },
  };
});
