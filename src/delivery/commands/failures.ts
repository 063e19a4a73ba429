import {
  type AddCommand,
  administer,
  type Common,
  columns,
  counted,
  moment,
  momentOf,
  print,
  shortened,
  viewing,
} from "../../terminal/index.ts";
import { type Failure, type Failures, failuresSince, remedies } from "../attention/index.ts";
import { channelWords } from "../read/channel-name.ts";

interface FailuresOptions extends Common {
  readonly since: Date;
}

/** `molva failures`: what failed, by its cause, with what helps. */
export const addFailures: AddCommand = (program, terminal) => {
  const command = program
    .command("failures")
    .description("what failed and why, grouped by cause, with what helps")
    .option("--since <time>", "what failed since then: 30m, 2h, 1d, or a time", momentOf, momentOf("24h"));
  viewing(command).action(async (options: FailuresOptions) => {
    const failures = await administer(terminal, options, ({ sql }, workspaceId) =>
      failuresSince(sql, workspaceId, { since: options.since }),
    );
    print(terminal, options, { since: options.since, ...failures }, () => shown(failures));
  });
};

function shown({ groups, truncated }: Failures): string {
  if (groups.length === 0) return "Nothing failed.";
  const table = columns(
    ["LAST", "CAUSE", "DELIVERIES", "CHANNELS", "ERROR", "HELPS"],
    groups.map((group) => [
      moment(group.last_at),
      shortened(causeOf(group), 40),
      String(group.deliveries),
      String(group.channels),
      shortened(`${group.code}: ${group.message ?? ""}`, 60),
      group.remedy,
    ]),
  );
  const used = [...new Set(groups.map(({ remedy }) => remedy))].map(
    (word) => `  ${word}: ${remedies[word]}.`,
  );
  const again = groups.filter((group) => group.again === "recover").length;
  return [
    table,
    "",
    ...used,
    ...(again > 0
      ? [
          `${counted(again, "cause")}: when it is mended, \`molva delivery recover\` sends again what failed for it.`,
        ]
      : []),
    ...(truncated ? ["There are more failures than were looked at: the newest are counted."] : []),
  ].join("\n");
}

function causeOf({ cause, sample_channels: [channel] }: Failure): string {
  if (cause.kind === "credential") return `${cause.platform}/${cause.auth_ref}`;
  if (cause.kind === "rate_group") return `${cause.platform}/${cause.rate_group}`;
  if (cause.kind === "channel" && channel) return channelWords(channel);
  return "the post";
}
