import {
  type AddCommand,
  administer,
  type Common,
  inWorkspace,
  untilAskedToStop,
} from "../../terminal/index.ts";
import { followEvents } from "../deliveries/index.ts";
import { channelNaming, channelOf } from "./called.ts";
import { eventLine } from "./event.ts";

interface TailOptions extends Common {
  readonly channel?: string;
  readonly errors?: boolean;
}

/** `molva tail`: the audit trail as it is written, until Ctrl-C. */
export const addTail: AddCommand = (program, terminal) => {
  inWorkspace(program.command("tail").description("show events as they happen; Ctrl-C ends it"))
    .option("--channel <channel>", `only of this one: ${channelNaming}`)
    .option("--errors", "only what goes wrong")
    .option("--json", "one line of JSON for each event")
    .action(async (options: TailOptions) => {
      const stop = new AbortController();
      void untilAskedToStop().then(() => stop.abort());
      await administer(terminal, options, async ({ sql, clock }, workspaceId) => {
        const channel_id = options.channel && (await channelOf(sql, workspaceId, options.channel));
        await followEvents(sql, workspaceId, {
          clock,
          filter: { channel_id, result: options.errors ? "error" : undefined },
          signal: stop.signal,
          onEvent: (event) => terminal.out(options.json ? JSON.stringify(event) : eventLine(event)),
          onTrouble: () => terminal.err("The database does not answer; waiting for it."),
          onRecovered: () => terminal.err("The database answers again."),
        });
      });
    });
};
