import { deliveryParts } from "../delivery/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Service } from "../kernel/service/index.ts";
import type { Module } from "../module/index.ts";
import { postDueObjects } from "./bots/post-due-objects.ts";
import { addAccountCommand } from "./commands/account.ts";
import { addObjectCommand } from "./commands/object.ts";
import { seedAccounts } from "./demo/seed-accounts.ts";
import { twinOf } from "./driver.ts";
import { accountSettings } from "./environment.ts";
import { createJoiner } from "./joins/join-next.ts";
import { loginRoutes } from "./login/login-routes.ts";
import { accountParts } from "./parts.ts";
import { planDue } from "./plan/plan-due.ts";
import { plannedTasks } from "./plan/planned-tasks.ts";
import { accountsRoutes } from "./routes.ts";
import { sealedAccounts } from "./sealed-accounts.ts";
import { forgetOldLogins, forgetOldPublications } from "./upkeep.ts";
import { createAccountWorker } from "./work/account-worker.ts";

/** The demo clock runs faster. */
const demoTickMs = 1_000;

export const accounts: Module = {
  name: "accounts",
  sealed: sealedAccounts,
  settings: accountSettings,
  commands: [addAccountCommand, addObjectCommand],
  planned: plannedTasks,
  wire(core) {
    const { sql, clock, log, platforms } = core;
    const parts = accountParts(core);
    const { driver, planning, publishing, isDemo } = parts;
    const ticks = isDemo ? { tickMs: demoTickMs } : {};
    return {
      routes: [accountsRoutes(publishing), loginRoutes(parts.login)],
      services: {
        accounts: () =>
          driver
            ? [
                createAccountWorker({
                  ...{ ...planning, ...parts.reaching, driver, times: ticks },
                  media: deliveryParts(core).media,
                }),
                createJoiner({ ...publishing, ...ticks, random: Math.random }),
              ]
            : [
                withoutDriver(() =>
                  log.info("no Telegram application is configured: accounts publish nothing"),
                ),
              ],
      },
      cron: [
        // Hourly: plans each account's day once, when its window has opened.
        every("0 * * * *", "accounts.plan", () => planDue(planning)),
        every("*/5 * * * *", "accounts.bot_posts", () => postDueObjects({ sql, clock, log, platforms })),
        every("19 * * * *", "accounts.forget_logins", () => forgetOldLogins(sql, clock.now())),
        every("31 3 * * *", "accounts.forget", () => forgetOldPublications(sql, clock.now())),
      ],
      async seed(roles) {
        if (!isDemo || !roles.includes("accounts")) return [];
        await parts.beginDemoClock();
        await seedAccounts({ ...publishing, driver, twinsUrl: twinOf(core) });
        return [];
      },
      async close() {
        await driver?.close();
      },
    };
  },
};

function withoutDriver(say: () => void): Service {
  return { name: "accounts", start: async () => say(), stop: async () => {} };
}
