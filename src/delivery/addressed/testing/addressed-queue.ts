import { z } from "zod";
import type { Clock } from "../../../kernel/clock/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { createPlatforms, type Platforms } from "../../../platforms/index.ts";
import { type DeliveryEnd, defineEndTask, deliveryEndSchema } from "../delivery-end.ts";
import { type AddressedPost, type Owner, type Published, publishAddressed } from "../publish.ts";

const nowhere = "http://127.0.0.1:9";
const messengers = createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere });

/** The product of these tests, and its job for ends. No worker runs the job, so the tests can count what was enqueued. */
export const product = "press";
export const ownerOf = (user: string): Owner => ({ product, user });
export const heard = defineEndTask({
  name: "press.heard",
  given: z.object({ hold: z.string() }),
  maxAttempts: 7,
  run: async () => {},
});

let nextKey = 1;

export interface ConnectionBuilder {
  user?: string;
  key?: string;
  platform?: string;
  target_id?: string;
  auth_ref?: string;
  enabled?: boolean;
  unknown_policy?: string;
  max_age_seconds?: number;
}

/** A connection of a user, created without the limit of ten an hour. */
export async function aConnection(
  sql: Sql,
  workspaceId: string,
  given: ConnectionBuilder = {},
): Promise<string> {
  const number = nextKey++;
  const { user = "1", key = `key-${number}`, ...rest } = given;
  const row = {
    workspace_id: workspaceId,
    platform: "telegram",
    target_id: `-1007${number}`,
    title: "Подключение",
    auth_ref: "bot",
    rate_group: "bot",
    rate_rps: null,
    addressed_only: true,
    owner_product: product,
    owner_user: user,
    connection_key: key,
    ...rest,
  };
  const [made] = await sql<[{ channel_id: string }]>`
    insert into delivery.channels ${sql(row)} returning channel_id`;
  return made.channel_id;
}

let nextStep = 1;

export interface PostBuilder
  extends Partial<Pick<AddressedPost<{ hold: string }>, "run" | "step" | "waitUntil">> {
  text?: string;
  user?: string;
  hold?: string;
  platforms?: Platforms;
}

/** A post of the product to these connections. */
export function publish(
  sql: Sql,
  workspaceId: string,
  channelIds: readonly string[],
  clock: Clock,
  {
    text = "Адресный пост",
    user = "1",
    hold = "h",
    run = "run",
    step,
    waitUntil,
    platforms = messengers,
  }: PostBuilder = {},
): Promise<Published> {
  const post: AddressedPost<{ hold: string }> = {
    ...{ owner: ownerOf(user), run, step: step ?? `step-${nextStep++}`, channelIds, waitUntil },
    post: { payload: { text } },
    end: { task: heard, given: { hold } },
  };
  return sql.begin((tx) => publishAddressed(tx, workspaceId, post, { platforms, clock }));
}

/** Returns the only delivery that was published. */
export async function published(publishing: Promise<Published>): Promise<string> {
  const answer = await publishing;
  if ("faults" in answer) throw new Error(`not published: ${JSON.stringify(answer.faults)}`);
  const [only] = answer.deliveries;
  if (!only || answer.deliveries.length !== 1) throw new Error("one delivery was expected");
  return only.delivery_id;
}

const jobSchema = z.object({ given: z.object({ hold: z.string() }), end: deliveryEndSchema });

/** What the product was told, in the order in which it will get it. */
export async function told(sql: Sql, workspaceId: string): Promise<DeliveryEnd[]> {
  const rows = await sql<{ payload: unknown }[]>`
    select j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${heard.name} and j.payload -> 'end' ->> 'workspace_id' = ${workspaceId} order by j.id`;
  return rows.map(({ payload }) => jobSchema.parse(payload).end);
}
