import { callTwins } from "../../delivery/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { clockAhead, moveClock } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  type Common,
  configOf,
  print,
  printing,
  runningTwins,
  secondsOf,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";

/** `molva clock`, `molva clock advance`: the time of the server, its jobs and the twins, outside production. */
export const addClock: AddCommand = (program, terminal) => {
  const command = program
    .command("clock")
    .description("the time of everything, which can be moved on outside production");

  printing(command.command("show", { isDefault: true }).description("what time it is here")).action(
    async (options: Common) => {
      const ahead = await withDatabase(configOf(terminal), clockAhead);
      tell(options, ahead);
    },
  );

  printing(
    command
      .command("advance")
      .description("move the time on: what is due by then happens now; it cannot be moved back")
      .argument("<time>", "how far, such as 30m, 24h, 7d", secondsOf),
  ).action(async (seconds: number, options: Common) => {
    const config = configOf(terminal);
    if (config.MOLVA_ENV === "production")
      throw new UserError(
        "In production nobody moves the time. Use MOLVA_ENV=demo or development to try things.",
      );
    const ahead = await withDatabase(config, (sql) => moveClock(sql, seconds * 1_000));
    const twins = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
    if (twins) await callTwins(twins, "POST", "/_control/clock", { ahead_ms: Math.round(ahead) });
    tell(options, ahead);
  });

  function tell(options: Common, ahead: number): void {
    const now = new Date(systemClock.now().getTime() + ahead);
    const told = { now: now.toISOString(), ahead_seconds: Math.round(ahead / 1_000) };
    print(terminal, options, told, () =>
      ahead === 0
        ? `${told.now}, the real time`
        : `${told.now}, ${told.ahead_seconds} s ahead of the real time`,
    );
  }
};
