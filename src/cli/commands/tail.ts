import { followEvents } from "../../delivery/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { type AddCommand, configOf } from "../command.ts";
import { withDatabase } from "../database.ts";
import { channelOf, workspaceOf } from "../lookup.ts";
import { untilAskedToStop } from "../signals.ts";
import { eventLine } from "./event.ts";

interface TailOptions {
  workspace?: string;
  channel?: string;
  errors?: boolean;
  json?: boolean;
}

/** `molva tail`: the audit trail as it is written, until Ctrl-C. */
export const addTail: AddCommand = (program, terminal) => {
  program
    .command("tail")
    .description("show events as they happen; Ctrl-C ends it")
    .option("--channel <channel>", "only of this one: its id, chat id or title")
    .option("--errors", "only what goes wrong")
    .option("--workspace <name>", "the workspace's id or name; the oldest unless given")
    .option("--json", "one line of JSON for each event")
    .action(async (options: TailOptions) => {
      const stop = new AbortController();
      void untilAskedToStop().then(() => stop.abort());
      await withDatabase(configOf(terminal), async (sql) => {
        const workspaceId = await workspaceOf(sql, options.workspace);
        const channelId = options.channel && (await channelOf(sql, workspaceId, options.channel));
        await followEvents(sql, workspaceId, {
          clock: systemClock,
          filter: { channelId, result: options.errors ? "error" : undefined },
          signal: stop.signal,
          onEvent: (event) => terminal.out(options.json ? JSON.stringify(event) : eventLine(event)),
          onTrouble: () => terminal.err("The database does not answer; waiting for it."),
          onRecovered: () => terminal.err("The database answers again."),
        });
      });
    });
};
