import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { latestEvents } from "../read/events.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listMessages } from "./messages.ts";
import { aDelivery, allowAnyBirth, aMessage } from "./testing/a-delivery.ts";

const history = 40_000;

let database: TestDatabase;
let asked: { text: string; parameters: postgres.ParameterOrJSON<never>[] }[] = [];
let sql: TestDatabase["sql"];
let workspace: string;
let channel: string;
let messageId: string;

/** A long history of finished deliveries with statistics, and a few live ones. */
beforeAll(async () => {
  database = await testDatabase();
  await allowAnyBirth(database.sql);
  sql = postgres(database.url, {
    max: 1,
    debug: (_connection, text, parameters) => asked.push({ text, parameters }),
  });
  workspace = await aWorkspace(database.sql);
  channel = await aChannel(database.sql, workspace);
  messageId = await aMessage(database.sql, workspace);
  await database.sql`
    with posts as (
      insert into delivery.messages (workspace_id, content_hash, payload)
      select ${workspace}, n::text, '{"text": "Пост"}' from generate_series(1, ${history}) as n
      returning message_id
    )
    insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status, attempt, sent_at)
    select ${workspace}, message_id, ${channel}, 1, message_id::text, 'sent', 1, now() from posts`;
  await database.sql`
    insert into workspaces.events (workspace_id, delivery_id, message_id, channel_id, ts, action, attempt, result)
    select workspace_id, delivery_id, message_id, channel_id, sent_at - random() * interval '1 hour', 'sent', 1, 'ok'
    from delivery.deliveries`;
  for (const status of ["queued", "retry", "dead", "failed_permanent"] as const)
    await aDelivery(database.sql, workspace, channel, { status, message_id: messageId });
  await database.sql.unsafe("analyze delivery.messages, delivery.deliveries, workspaces.events");
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** All plan nodes of the queries in `work`, as the server really executed them. */
async function nodesOf(work: () => Promise<unknown>): Promise<Plan[]> {
  asked = [];
  await work();
  const nodes: Plan[] = [];
  const gather = (plan: Plan) => {
    nodes.push(plan);
    plan.Plans?.forEach(gather);
  };
  for (const { text, parameters } of asked.filter(({ text }) => text.includes("delivery."))) {
    const [row] = await database.sql.unsafe(`explain (analyze, format json) ${text}`, parameters);
    gather(row?.["QUERY PLAN"][0].Plan);
  }
  return nodes;
}

const deliveries = (query: Omit<Parameters<typeof listDeliveries>[2], "limit">) => () =>
  listDeliveries(sql, workspace, { limit: 50, ...query });
const events = (query: Omit<Parameters<typeof latestEvents>[2], "limit">) => () =>
  latestEvents(sql, workspace, { limit: 50, ...query });

it.each<[string, () => () => Promise<unknown>]>([
  ["deliveries", () => deliveries({})],
  ["deliveries that are on their way", () => deliveries({ status: ["queued", "retry"] })],
  ["dead deliveries", () => deliveries({ status: ["dead"] })],
  ["sent deliveries", () => deliveries({ status: ["sent"] })],
  ["a channel's deliveries", () => deliveries({ channel_id: channel })],
  ["a message's deliveries", () => deliveries({ message_id: messageId })],
  ["deliveries since a moment ago", () => deliveries({ since: new Date() })],
  ["messages", () => () => listMessages(sql, workspace, { limit: 50 })],
  ["events", () => events({})],
  ["errors", () => events({ result: "error" })],
  ["events that went well", () => events({ result: "ok" })],
  ["events of one kind", () => events({ action: ["dead_letter"] })],
  ["a channel's events", () => events({ channel_id: channel })],
  ["a delivery's events", () => events({ delivery_id: messageId })],
])("a page of %s reads little, however long the history is", async (_what, query) => {
  const nodes = await nodesOf(query());
  expect(nodes.length).toBeGreaterThan(0);
  const scans = nodes.filter((node) => node["Relation Name"] && node["Relation Name"] !== "channels");
  for (const scan of scans) {
    const read = (scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0)) * scan["Actual Loops"];
    expect(read, `${scan["Node Type"]} of ${scan["Relation Name"]}`).toBeLessThan(200);
  }
});

it("a page of a rare status looks through history a bounded way at a time, and says where to look on", async () => {
  const first = await listDeliveries(sql, workspace, { limit: 50, status: ["failed_permanent"] });
  expect(first.items).toHaveLength(1);
  expect(first.next).not.toBeNull();
  const second = await listDeliveries(sql, workspace, {
    limit: 50,
    status: ["failed_permanent"],
    after: first.next ?? "",
  });
  expect(second.items).toEqual([]);
  const nodes = await nodesOf(deliveries({ status: ["failed_permanent"] }));
  expect(nodes.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
  expect(Math.max(...nodes.map((node) => node["Actual Rows"]))).toBeLessThanOrEqual(20_000);
});
