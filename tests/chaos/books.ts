import type { Sql } from "../../src/kernel/db/index.ts";
import { type Harness, policyOf } from "./harness.ts";
import type { Arrival, Chat } from "./messengers.ts";
import { type Accepted, numberIn } from "./poster.ts";
import type { PublishedStep } from "./publisher.ts";

/** How many violations of order are reported in full. */
const toldInFull = 10;

/** The result of comparing the tables with what readers of the chats see. */
export interface Balance {
  readonly accepted: number;
  /** Steps of a product, each reported once. */
  readonly published: number;
  readonly deliveries: number;
  readonly sent: number;
  readonly sent_by: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly doubled_reconcilable: number;
  readonly doubled_at_most_once: number;
  readonly doubled_unknown: number;
  readonly out_of_order: number;
  readonly violations: readonly string[];
}

interface Delivery {
  readonly delivery_id: string;
  readonly platform: string;
  readonly chat: string;
  readonly source_ref: string;
  readonly status: string;
  /** By the database's clock, in milliseconds since 1970. */
  readonly enqueued: number;
  readonly attempt: number;
  readonly requeues: number;
  readonly code: string | null;
  /** How often the outcome was unknown. */
  readonly unknowns: number;
  /** It was corrected while it waited. */
  readonly replaced: boolean;
  readonly messages: number;
}

export interface Evidence {
  readonly harness: Harness;
  readonly accepted: readonly Accepted[];
  readonly arrivals: readonly Arrival[];
  readonly published: readonly PublishedStep[];
}

export async function balance({ harness, accepted, arrivals, published }: Evidence): Promise<Balance> {
  const deliveries = await readDeliveries(harness);
  const violations = [...(await faultsInTables(harness))];
  const byPlace = new Map(
    deliveries.map((delivery) => [`${delivery.chat} ${delivery.source_ref}`, delivery]),
  );
  if (byPlace.size < deliveries.length)
    violations.push(`${deliveries.length - byPlace.size} posts have two deliveries to one channel`);
  const seen = countArrivals(arrivals);
  const disabled = await everDisabled(harness);

  let lost = 0;
  for (const { number, group } of accepted) {
    for (const chat of harness.groups[group] ?? []) {
      const delivery = byPlace.get(`${chat.id} chaos-${number}`);
      // A channel that a revoked token has switched off takes no posts until somebody switches it on.
      if (!delivery && disabled.has(chat.id)) continue;
      if (delivery && hasReason(delivery) && (delivery.status !== "sent" || seenWhole(delivery, seen)))
        continue;
      lost += 1;
      violations.push(`lost: post ${number} in ${chat.id} is ${delivery?.status ?? "nowhere"}`);
    }
  }
  for (const { number, connection } of published) {
    const delivery = byPlace.get(`${connection.chat.id} chaos-${number}`);
    if (delivery && hasReason(delivery) && (delivery.status !== "sent" || seenWhole(delivery, seen)))
      continue;
    lost += 1;
    violations.push(`lost: addressed post ${number} is ${delivery?.status ?? "nowhere"}`);
  }
  const { wrongly, ...doubled } = countDoubles(harness, byPlace, seen, violations);
  for (const delivery of wrongly.slice(0, toldInFull))
    violations.push(await lifeOf(harness, delivery, arrivals));
  const overtakers = findOvertakers(harness, accepted, byPlace, arrivals);
  for (const pair of overtakers.slice(0, toldInFull)) violations.push(await tellOf(harness, pair));
  for (const { chat, late, early } of overtakers.slice(toldInFull))
    violations.push(`out of order: post ${early.number} came before ${late.number} in ${chat}`);
  const sent = deliveries.filter(({ status }) => status === "sent");
  const sentBy = countBy(sent.map(({ platform }) => platform));
  for (const platform of new Set(deliveries.map((delivery) => delivery.platform)))
    if (!sentBy[platform]) violations.push(`nothing at all was sent to ${platform}`);
  return {
    accepted: accepted.length,
    published: published.length,
    deliveries: deliveries.length,
    sent: sent.length,
    sent_by: sentBy,
    failed: countBy(
      deliveries.filter(({ status }) => status !== "sent").map(({ code }) => code ?? "no code"),
    ),
    lost,
    ...doubled,
    out_of_order: overtakers.length,
    violations,
  };
}

/** By chat and text: how often readers see it. */
type Seen = ReadonlyMap<string, ReadonlyMap<string, number>>;

function countArrivals(arrivals: readonly Arrival[]): Seen {
  const seen = new Map<string, Map<string, number>>();
  for (const { chat, text } of arrivals) {
    const place = `${chat} chaos-${numberIn(text)}`;
    const texts = seen.get(place) ?? new Map<string, number>();
    texts.set(text, (texts.get(text) ?? 0) + 1);
    seen.set(place, texts);
  }
  return seen;
}

function seenWhole({ chat, source_ref, messages }: Delivery, seen: Seen): boolean {
  return (seen.get(`${chat} ${source_ref}`)?.size ?? 0) >= messages;
}

/** It was sent, or there is a reason why not. */
function hasReason({ status, code }: Delivery): boolean {
  return status === "sent" || (["failed_permanent", "dead"].includes(status) && code !== null);
}

function countDoubles(
  { groups, connections }: Harness,
  byPlace: ReadonlyMap<string, Delivery>,
  seen: Seen,
  violations: string[],
) {
  const chats = new Map(
    [...groups.flat(), ...connections.map(({ chat }) => chat)].map((chat) => [chat.id, chat]),
  );
  const doubled = { doubled_reconcilable: 0, doubled_at_most_once: 0, doubled_unknown: 0 };
  const wrongly: Delivery[] = [];
  for (const [place, texts] of seen) {
    const delivery = byPlace.get(place);
    const chat = delivery && chats.get(delivery.chat);
    if (!chat) {
      violations.push(`somebody wrote what was never queued: ${place}`);
      continue;
    }
    const extra = [...texts.values()].reduce((sum, times) => sum + times - 1, 0);
    if (extra === 0) continue;
    const kind = kindOf(chat);
    doubled[kind] += extra;
    if (kind !== "doubled_unknown" || extra > delivery.unknowns) {
      wrongly.push(delivery);
      violations.push(
        `doubled: ${place} came ${extra} times too often, with ${delivery.unknowns} unknown outcomes (${kind})`,
      );
    }
  }
  return { ...doubled, wrongly };
}

function kindOf(chat: Chat) {
  if (chat.messenger !== "telegram") return "doubled_reconcilable";
  return policyOf(chat) === "at_most_once" ? "doubled_at_most_once" : "doubled_unknown";
}

interface Calm extends Accepted {
  readonly delivery: Delivery;
  /** When readers saw it. */
  readonly at: number;
}

interface Overtaking {
  readonly chat: string;
  readonly late: Calm;
  readonly early: Calm;
}

/**
 * Posts that were accepted one after the other and arrived at the first attempt, yet in the wrong order. A post whose
 * request was abandoned without an answer is left out: the network may deliver it at any time. So is one that was corrected
 * while it waited: starting does not wait for an operator's lock, and takes the next post. The order is that of the database's
 * clock: what was accepted before it was set back comes after what was accepted then.
 */
function findOvertakers(
  { groups }: Harness,
  accepted: readonly Accepted[],
  byPlace: ReadonlyMap<string, Delivery>,
  arrivals: readonly Arrival[],
): Overtaking[] {
  const firstSeen = new Map<string, number>();
  for (const { chat, text, at } of arrivals) {
    const place = `${chat} chaos-${numberIn(text)}`;
    if (!firstSeen.has(place)) firstSeen.set(place, at);
  }
  const found: Overtaking[] = [];
  for (const [group, chats] of groups.entries()) {
    const posts = accepted.filter((post) => post.group === group);
    for (const { id: chat } of chats) {
      const calm = posts.flatMap((post) => {
        const delivery = byPlace.get(`${chat} chaos-${post.number}`);
        const at = firstSeen.get(`${chat} chaos-${post.number}`);
        const isCalm = delivery?.attempt === 1 && delivery.unknowns === 0 && !delivery.replaced;
        return isCalm && at !== undefined ? [{ ...post, delivery, at }] : [];
      });
      // Compared with the last arrival among those that were answered before this one began and are older by the database's clock.
      const byEnd = calm.toSorted((one, other) => one.answeredAt - other.answeredAt);
      let next = 0;
      const answered: Calm[] = [];
      for (const post of calm.toSorted((one, other) => one.beganAt - other.beganAt)) {
        for (let ended = byEnd[next]; ended && ended.answeredAt < post.beganAt; ended = byEnd[++next])
          answered.push(ended);
        const [last] = answered
          .filter(({ at, delivery }) => at > post.at && delivery.enqueued < post.delivery.enqueued)
          .toSorted((one, other) => other.at - one.at);
        if (last) found.push({ chat, late: last, early: post });
      }
    }
  }
  return found;
}

/** The events of both deliveries side by side, for debugging. */
async function tellOf(harness: Harness, { chat, late, early }: Overtaking): Promise<string> {
  const lives = [late, early].map(({ delivery, beganAt, answeredAt, at }) =>
    lifeOf(
      harness,
      delivery,
      [],
      [
        { action: "posted", ms: beganAt },
        { action: "accepted", ms: answeredAt },
        { action: "seen", ms: at },
      ],
    ),
  );
  return `out of order: post ${early.number} came before ${late.number} in ${chat}\n${(await Promise.all(lives)).join("\n")}`;
}

interface Step {
  readonly action: string;
  readonly ms: number;
}

async function lifeOf(
  { sql, workspaceId }: Harness,
  { delivery_id, chat, source_ref }: Delivery,
  arrivals: readonly Arrival[],
  known: readonly Step[] = [],
): Promise<string> {
  const events = await sql<Step[]>`
    select action || coalesce(' ' || (error ->> 'code') || coalesce('/' || (error ->> 'cause'), ''), '') as action,
      (extract(epoch from ts) * 1000)::float8 as ms
    from workspaces.events where workspace_id = ${workspaceId} and delivery_id = ${delivery_id} order by ts`;
  const seen = arrivals
    .filter((arrival) => arrival.chat === chat && `chaos-${numberIn(arrival.text)}` === source_ref)
    .map(({ at }) => ({ action: "seen", ms: at }));
  const steps = [...known, ...seen, ...events].toSorted((one, other) => one.ms - other.ms);
  return `    ${source_ref}: ${steps.map(({ action, ms }) => `${action} ${clockOf(ms)}`).join(", ")}`;
}

const clockOf = (ms: number) => new Date(ms).toISOString().slice(11, -1);

async function readDeliveries({ sql, workspaceId }: Harness): Promise<Delivery[]> {
  return sql<Delivery[]>`
    select d.delivery_id, c.platform, c.title as chat, m.source_ref, d.status, d.attempt,
      (extract(epoch from d.created_at) * 1000)::float8 as enqueued, d.requeues,
      d.last_error ->> 'code' as code, coalesce(u.unknowns, 0) as unknowns, coalesce(u.replaced, false) as replaced,
      coalesce(jsonb_array_length(d.render_meta #> '{compiled,requests}'), 1) as messages
    from delivery.deliveries d
    join delivery.channels c using (workspace_id, channel_id)
    join delivery.messages m using (workspace_id, message_id)
    left join (
      select delivery_id, count(*) filter (where action <> 'post_replaced')::int as unknowns,
        bool_or(action = 'post_replaced') as replaced
      from workspaces.events
      where workspace_id = ${workspaceId} and action in ('outcome_unknown', 'sending_lease_expired', 'post_replaced')
      group by 1
    ) u using (delivery_id)
    where d.workspace_id = ${workspaceId}`;
}

async function everDisabled({ sql, workspaceId }: Harness): Promise<Set<string>> {
  const rows = await sql<{ chat: string }[]>`
    select distinct c.title as chat
    from workspaces.events e join delivery.channels c using (workspace_id, channel_id)
    where e.workspace_id = ${workspaceId} and e.action = 'channel_disabled'`;
  return new Set(rows.map(({ chat }) => chat));
}

/**
 * Violations that must never be in the tables, each as a condition on a delivery `d` and the sums of its events `e`.
 */
const faults = {
  "has not ended": "d.status not in ('sent', 'failed_permanent', 'dead', 'deduped')",
  "ended and still holds a lease":
    "d.claim_token is not null or d.claimed_at is not null or d.sending_started_at is not null",
  "was tried more often than allowed": "d.attempt > 5 + d.requeues",
  "was enqueued without an event": "coalesce(e.beginnings, 0) <> 1",
  "was promised to be told of and was not told once": `d.addressed and (
    select count(*) from graphile_worker._private_jobs j where j.payload #>> '{end,delivery_id}' = d.delivery_id::text) <> 1`,
  "was told of otherwise than it ended": `d.addressed and not exists (
    select from graphile_worker._private_jobs j where j.payload #>> '{end,delivery_id}' = d.delivery_id::text
      and j.payload #>> '{end,outcome}' = delivery.end_of(d))`,
  "has attempts without a beginning": "d.attempt <> coalesce(e.attempts, 0)",
  "has an attempt without exactly one end": "not coalesce(e.all_ended_once, true)",
} as const;

async function faultsInTables({ sql, workspaceId }: Harness): Promise<string[]> {
  const sentences: string[] = [];
  for (const [fault, condition] of Object.entries(faults))
    for (const { delivery_id } of await find(sql, workspaceId, condition))
      sentences.push(`delivery ${delivery_id} ${fault}`);
  const orphans = await sql`
    select e.id from workspaces.events e
    where e.workspace_id = ${workspaceId} and e.delivery_id is not null
      and not exists (select from delivery.deliveries d where d.workspace_id = e.workspace_id and d.delivery_id = e.delivery_id)`;
  if (orphans.length > 0) sentences.push(`${orphans.length} events belong to no delivery`);
  return sentences;
}

/** Events are summed up by attempt and then by delivery, so that the cost grows with their number and not with its square. */
function find(sql: Sql, workspaceId: string, condition: string): Promise<{ delivery_id: string }[]> {
  return sql.unsafe<{ delivery_id: string }[]>(
    `with by_attempt as (
       select delivery_id, attempt,
         count(*) filter (where action in ('enqueue', 'validation_failed')) as beginnings,
         count(*) filter (where action = 'send_attempt') as attempts,
         count(*) filter (where action in ('sent', 'retry_scheduled', 'failed_permanent', 'sending_lease_expired')
                             or action = 'dead_letter' and meta ->> 'reason' = 'max_attempts') as ends
       from workspaces.events where workspace_id = $1 and delivery_id is not null
       group by 1, 2
     ),
     e as (
       select delivery_id, sum(beginnings) as beginnings, sum(attempts) as attempts,
         bool_and(attempts = 1 and ends = 1) filter (where attempts + ends > 0) as all_ended_once
       from by_attempt group by 1
     )
     select d.delivery_id from delivery.deliveries d left join e using (delivery_id)
     where d.workspace_id = $1 and (${condition}) limit 20`,
    [workspaceId],
  );
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
