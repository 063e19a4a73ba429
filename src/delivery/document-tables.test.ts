import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";

const onItsWay = "where status = ANY (ARRAY['queued', 'claimed', 'sending', 'retry'])";

/**
 * The tables that the specification names, with the fields, keys and indexes that it requires. An index is written as its
 * columns, preceded by `unique` and followed by its predicate if it does not cover all rows.
 */
const tables: Record<string, { fields: string; key: string; indexes: string[] }> = {
  workspaces: { fields: "workspace_id name status created_at", key: "workspace_id", indexes: [] },
  workspace_endpoints: {
    fields:
      "workspace_id endpoint_id kind secret_hash enabled ingress_rps max_payload_bytes hash_drop_window_sec meta created_at updated_at",
    key: "workspace_id endpoint_id",
    indexes: ["unique kind secret_hash where enabled"],
  },
  channels: {
    fields:
      "workspace_id channel_id platform target_id auth_ref rate_group enabled title send_mode rate_rps max_parallel next_allowed_at paused_until timezone window_mode posting_window dedup_ttl_hours error_streak settings tags route_filter template_ref created_at updated_at",
    key: "workspace_id channel_id",
    indexes: [
      // One channel per chat is a rule for routed posts; connections are unique by their product's key.
      "unique workspace_id platform target_id where NOT addressed_only",
      "workspace_id enabled",
      "tags",
    ],
  },
  channel_auth: {
    fields: "workspace_id channel_id auth_ref rotated_at updated_at",
    key: "workspace_id channel_id",
    indexes: [],
  },
  credential_bindings: {
    fields: "workspace_id auth_ref platform secret_ref rotated_at updated_at",
    key: "workspace_id auth_ref platform",
    indexes: [],
  },
  platform_limits: {
    fields: "workspace_id platform rate_group rate_rps next_allowed_at updated_at",
    key: "workspace_id platform rate_group",
    indexes: [],
  },
  messages: {
    fields:
      "workspace_id message_id hash_version content_hash payload tags source source_ref first_seen_trace_id first_ingest_run_id last_seen_at last_ingest_run_id seen_count created_at",
    key: "workspace_id message_id",
    indexes: ["unique workspace_id hash_version content_hash", "workspace_id created_at", "tags"],
  },
  media_origin: {
    fields:
      "workspace_id blob_ref origin_url sha256 content_type size_bytes last_seen_at ref_count created_at",
    key: "workspace_id blob_ref",
    indexes: [],
  },
  media_blobs: {
    fields: "workspace_id blob_ref provider file_id url expires_at meta created_at updated_at",
    key: "workspace_id blob_ref provider",
    indexes: [],
  },
  deliveries: {
    fields:
      "workspace_id delivery_id message_id channel_id hash_version content_hash not_before scheduled_for status attempt next_retry_at provider_message_id sent_at last_error rendered_text render_meta template_version trace_id claimed_at claim_token sending_started_at created_at updated_at",
    key: "workspace_id delivery_id",
    indexes: [
      // These two cover live deliveries only: nobody looks up a finished one by its slot or its retry.
      "workspace_id status next_retry_at where next_retry_at IS NOT NULL",
      `workspace_id status not_before next_retry_at ${onItsWay}`,
      "workspace_id channel_id hash_version content_hash sent_at where status = 'sent' AND sent_at IS NOT NULL",
      `workspace_id channel_id hash_version content_hash created_at ${onItsWay}`,
      "workspace_id channel_id hash_version content_hash where status = ANY (ARRAY['sent', 'deduped'])",
    ],
  },
  events: {
    fields:
      "workspace_id id delivery_id message_id channel_id ts action attempt result error payload_ref meta",
    key: "workspace_id ts id",
    indexes: [
      "workspace_id ts",
      "workspace_id action ts",
      "workspace_id result ts",
      "workspace_id delivery_id ts where delivery_id IS NOT NULL",
      "workspace_id message_id ts where message_id IS NOT NULL",
      "workspace_id channel_id ts where channel_id IS NOT NULL",
    ],
  },
  pull_sources: {
    fields: "workspace_id source_id kind config_json enabled created_at",
    key: "workspace_id source_id",
    indexes: [],
  },
  pull_cursors: {
    fields: "workspace_id source_id cursor_json updated_at",
    key: "workspace_id source_id",
    indexes: [],
  },
  ingest_runs: {
    fields: "workspace_id run_id kind started_at finished_at stats_json",
    key: "workspace_id run_id",
    indexes: [],
  },
  ingress_receipts: {
    fields: "workspace_id endpoint_id endpoint_kind source_ref payload_hash received_at expires_at",
    key: "",
    indexes: [
      "unique workspace_id endpoint_id source_ref where source_ref IS NOT NULL",
      "workspace_id endpoint_id payload_hash received_at",
      "expires_at",
    ],
  },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function fieldsOf(table: string): Promise<string[]> {
  const rows = await database.sql`
    select column_name from information_schema.columns where table_schema in ('workspaces', 'delivery') and table_name = ${table}`;
  return rows.map(({ column_name }) => column_name);
}

async function indexesOf(table: string): Promise<{ shape: string; primary: boolean }[]> {
  return database.sql`
    select i.indisprimary as primary,
      concat_ws(' ', case when i.indisunique and not i.indisprimary then 'unique' end,
        (select string_agg(a.attname, ' ' order by k.place) from unnest(i.indkey) with ordinality k(number, place)
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.place <= i.indnkeyatts),
        'where ' || replace(pg_get_expr(i.indpred, i.indrelid, true), '::text', '')) as shape
    from pg_index i where i.indrelid = coalesce(to_regclass(${`delivery.${table}`}), to_regclass(${`workspaces.${table}`}))`;
}

// covers autoposting: Data model requirements; Table: workspaces; Table: workspace_endpoints; Table: channels; Table: platform_limits; Table: messages; Table: media_origin; Table: media_blobs; Table: deliveries; Table: events; Table: pull_sources; Table: pull_cursors; Table: ingest_runs; Table: ingress_receipts
it.each(Object.entries(tables))("%s has its fields, its key and its indexes", async (table, demanded) => {
  expect(await fieldsOf(table)).toEqual(expect.arrayContaining(demanded.fields.split(" ")));
  const indexes = await indexesOf(table);
  if (demanded.key) expect(indexes.find(({ primary }) => primary)?.shape).toBe(demanded.key);
  // An index over all rows also serves queries on its leading columns; so does the primary key.
  const serves = (shape: string, wanted: string) =>
    shape === wanted || (shape.startsWith(`${wanted} `) && !shape.includes(" where "));
  const missing = demanded.indexes.filter((wanted) => !indexes.some(({ shape }) => serves(shape, wanted)));
  expect(missing).toEqual([]);
});

// covers autoposting: Data model requirements; Table: deliveries
it("deliveries refer to their message and channel within their own workspace, and events to nothing", async () => {
  const keys = await database.sql`
    select pg_get_constraintdef(oid) as key from pg_constraint
    where contype = 'f' and conrelid = 'delivery.deliveries'::regclass`;
  expect(keys.map(({ key }) => key).join("\n")).toMatch(
    /\(workspace_id, message_id\) REFERENCES delivery\.messages\(workspace_id, message_id\)/,
  );
  expect(keys.map(({ key }) => key).join("\n")).toMatch(
    /\(workspace_id, channel_id\) REFERENCES delivery\.channels\(workspace_id, channel_id\)/,
  );
  const ofEvents = await database.sql`
    select conname from pg_constraint
    where contype = 'f' and conrelid = 'workspaces.events'::regclass
      and confrelid in ('delivery.deliveries'::regclass, 'delivery.messages'::regclass, 'delivery.channels'::regclass)`;
  expect(ofEvents).toHaveLength(0);
});

// covers autoposting: Data model requirements
it("every table of posts is closed to all but its owner", async () => {
  const open = await database.sql`
    select relname from pg_class
    where relnamespace in ('workspaces'::regnamespace, 'delivery'::regnamespace) and relkind in ('r', 'p') and not relrowsecurity`;
  expect([...open]).toEqual([]);
});
