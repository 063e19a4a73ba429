import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace } from "./testing/builders.ts";
import { watchPlans } from "./testing/plans.ts";

/** One function decides which channels get a post; a look before the enqueue sees the same channels. */
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.sql`select workspaces.ensure_event_partitions()`;
});
afterAll(() => database.drop());

const words = ["спорт", "театр", "москва"];
const tags = fc.uniqueArray(fc.constantFrom(...words));
const filters = fc.record({ include_any: tags, include_all: tags, exclude: tags }, { requiredKeys: [] });

describe("the recipients of a post", () => {
  // covers autoposting: Routing rules / segmentation
  it("found through the index are those that no filter lets it pass by, before and while it is enqueued", async () => {
    const { sql } = database;
    const channels = fc.array(fc.record({ route_filter: filters, enabled: fc.boolean() }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(channels, tags, fc.boolean(), async (given, ofPost, taggedOnly) => {
        const workspace = await aWorkspace(sql);
        for (const [place, channel] of given.entries())
          await aChannel(sql, workspace, { ...channel, settings: { footer: place } });
        const raw = { payload: { text: "Пост" }, tags: ofPost, tagged_only: taggedOnly };
        const taking = await sql<{ channel_id: string; profile_key: string }[]>`
          select c.channel_id, c.profile_key from delivery.channels c
          where c.workspace_id = ${workspace} and delivery.passes_by(c, ${ofPost}, ${taggedOnly}) is null
          order by c.channel_id`;
        const [{ profiles }] = await sql<[{ profiles: { key: string }[] }]>`
          select profiles from delivery.prepare_post(${workspace}, ${sql.json(raw)})`;
        await sql`select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'push', ${sql.json(raw)})`;
        const enqueued = await sql<{ channel_id: string }[]>`
          select channel_id from delivery.deliveries where workspace_id = ${workspace} order by channel_id`;
        expect(enqueued.map((each) => each.channel_id)).toEqual(taking.map((each) => each.channel_id));
        expect(profiles.map(({ key }) => key).sort()).toEqual(
          taking.map(({ profile_key }) => profile_key).sort(),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("are found through the index, without reading channels that ask for other tags", async () => {
    const { sql } = database;
    const workspace = await aWorkspace(sql);
    await sql.begin(async (tx) => {
      // Without the triggers that check each channel: they are not under test here.
      await tx`set local session_replication_role = replica`;
      await tx`
        insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, route_filter)
        select ${workspace}, 'telegram', '-1009' || n, 'bot', 'bot', jsonb_build_object('include_any', array['тег' || n])
        from generate_series(1, 5000) n`;
    });
    await aChannel(sql, workspace, { route_filter: { include_any: ["спорт"] } });
    await sql`analyze delivery.channels`;
    const raw = sql.json({ payload: { text: "Пост #спорт" } });
    const plans = await watchPlans(database.url);
    const nodes = await plans.watch(async (watched) => {
      await watched`select * from delivery.prepare_post(${workspace}, ${raw})`;
      // The second time, the deliveries of the first time are looked up.
      for (let time = 0; time < 2; time++)
        await watched`select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'push', ${raw})`;
    });
    await plans.close();
    expect(nodes.filter(({ index }) => index === "channels_route")).toHaveLength(4);
    expect(nodes.filter(({ relation, read }) => relation === "channels" && read > 10)).toEqual([]);
  });
});

it("lets nobody enqueue a post that was not normalised, not even with a hash of the sender's", async () => {
  const { sql } = database;
  const workspace = await aWorkspace(sql);
  await aChannel(sql, workspace);
  const raw = { payload: { text: "Пост" }, tags: [], source: {}, hash_version: 1, content_hash: "мой" };
  await expect(sql`
    select delivery.enqueue_post(${workspace}, null, 'push', ${sql.json(raw)})`).rejects.toThrow(
    "content_hash",
  );
  expect(await sql`select from delivery.messages where workspace_id = ${workspace}`).toHaveLength(0);
});
