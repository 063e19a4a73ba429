import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";

/** The eight tables that the document names, with the fields that it demands. Keys begin with the workspace. */
const tables: Record<string, { fields: string; key: string }> = {
  "advisor.users": {
    fields:
      "id telegram_user_id created_at plan locale last_seen_at research_used research_limit research_reset_at",
    key: "workspace_id id",
  },
  "advisor.rate_limits": {
    fields: "user_id window_type window_start_at window_end_at count last_request_at cooldown_until",
    key: "workspace_id user_id",
  },
  "advisor.sessions": {
    fields: "id user_id session_context expires_at updated_at",
    key: "workspace_id id",
  },
  "advisor.pets": {
    fields: "id user_id type name sex birth_date age_text breed created_at archived_at",
    key: "workspace_id id",
  },
  "advisor.interactions": {
    fields: "id user_id pet_id scenario mode question_text answer_text summary created_at",
    key: "workspace_id id",
  },
  "advisor.media_assets": {
    fields: "id user_id pet_id type storage_url mime size_bytes created_at expires_at deleted_at",
    key: "workspace_id id",
  },
  "llm.llm_policies": {
    fields: "key provider model temperature max_tokens enabled updated_at",
    key: "workspace_id key",
  },
  "advisor.request_dedup": {
    fields: "request_id user_id created_at response_json",
    key: "workspace_id request_id",
  },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// covers advisor: Eight tables
it.each(Object.entries(tables))("%s has its fields and its key", async (table, { fields, key }) => {
  const columns = await database.sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`;
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(fields.split(" ")));
  const [primary] = await database.sql`
    select string_agg(a.attname, ' ' order by k.place) as columns
    from pg_index i
    cross join unnest(i.indkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indrelid = ${table}::regclass and i.indisprimary`;
  expect(primary?.columns).toBe(key);
});
