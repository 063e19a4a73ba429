import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { Help } from "../deliveries/index.ts";
import { namedChannelSchema } from "../read/channel-name.ts";
import { type Remedy, remedyWords } from "./remedies.ts";

export const stoppedChannelSchema = z.object({
  channel: namedChannelSchema,
  state: z
    .enum(["disabled", "paused", "silent"])
    .describe("`silent`: it is watched, and nothing was sent for too long"),
  since: z.date().nullable(),
  until: z.date().nullable().describe("When a pause ends; null: not by itself"),
  stopped_by: z
    .enum(["operator", "refusals"])
    .nullable()
    .describe("null for a silent channel, and where no event tells it"),
  operator: z.string().nullable(),
  reason: z.string().nullable(),
  error_code: z.string().nullable(),
  remedy: z.enum(remedyWords),
});
export type StoppedChannel = z.infer<typeof stoppedChannelSchema>;

type Row = Omit<StoppedChannel, "remedy"> & { readonly help: Help | null };

/** Each channel once: what is switched off or rests is not told to be silent, too. Connections of products' users are their owners'. */
export async function stoppedChannels(
  sql: Sql,
  workspaceId: string,
  now: Date,
  most: number,
): Promise<StoppedChannel[]> {
  const rows = await sql<Row[]>`
    with stopped as materialized (
      select c.*, (not c.enabled or c.paused_until > ${now}) is true as stands,
        least(q.quiet_since, q.overdue_since) as silent_since
      from delivery.channels c
      left join delivery.channel_silences q on q.workspace_id = c.workspace_id and q.channel_id = c.channel_id
      where c.workspace_id = ${workspaceId} and not c.addressed_only
        and (not c.enabled or c.paused_until > ${now} or q.quiet_since is not null or q.overdue_since is not null)
      order by c.channel_id limit ${most}
    )
    select delivery.channel_facts(c) as channel,
      case when not c.enabled then 'disabled' when s.stands then 'paused' else 'silent' end as state,
      case when s.stands then t.since else s.silent_since end as since,
      case when c.enabled and s.stands then c.paused_until end as until,
      t.stopped_by, t.operator, t.reason, t.error ->> 'code' as error_code, t.help
    from stopped s
    join delivery.channels c on c.workspace_id = ${workspaceId} and c.channel_id = s.channel_id
    left join lateral delivery.channel_stop(c, ${now}) t on s.stands
    order by c.channel_id`;
  return rows.map(({ help, ...row }) => ({ ...row, remedy: remedyFor(help) }));
}

const byHelp: Partial<Record<Help, Remedy>> = {
  resume: "resume_channel",
  set_credential: "new_token",
  mend_channel: "test_channel",
};

function remedyFor(help: Help | null): Remedy {
  return (help && byHelp[help]) ?? "look";
}
