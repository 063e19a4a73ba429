import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";

/** The tables that the document names, with the fields and the key that it demands. What is unique in part is tested below. */
const tables: Record<string, { fields: string; key: string }> = {
  bot_inbox: {
    fields: "workspace_id provider chat_id provider_message_id ts",
    key: "workspace_id provider chat_id provider_message_id",
  },
  bot_outbox: {
    fields: "workspace_id chat_id inbound_provider_message_id response_hash sent_at provider_message_id",
    key: "workspace_id chat_id inbound_provider_message_id",
  },
  bot_rules: {
    fields:
      "workspace_id rule_id version enabled intent pattern priority max_turns response_template next_state created_at",
    key: "workspace_id rule_id version",
  },
  bot_state: {
    fields: "workspace_id chat_id state context expires_at updated_at",
    key: "workspace_id chat_id",
  },
  bot_logs: {
    fields:
      "workspace_id id ts chat_id message_text matched_rule_id rule_version state_before state_after response_preview meta",
    key: "workspace_id id",
  },
};

let database: TestDatabase;
let workspaceId: string;
beforeAll(async () => {
  database = await testDatabase();
  workspaceId = await aWorkspace(database.sql);
});
afterAll(() => database.drop());

// covers shopbot: Table constraints of the document
it.each(Object.entries(tables))("%s has its fields and its key", async (table, { fields, key }) => {
  const columns = await database.sql<{ column_name: string }[]>`
    select column_name from information_schema.columns where table_schema = 'shopbot' and table_name = ${table}`;
  expect(columns.map(({ column_name }) => column_name)).toEqual(expect.arrayContaining(fields.split(" ")));
  const [primary] = await database.sql`
    select string_agg(a.attname, ' ' order by k.place) as columns
    from pg_index i
    cross join unnest(i.indkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    where i.indrelid = ${`shopbot.${table}`}::regclass and i.indisprimary`;
  expect(primary?.columns).toBe(key);
});

// covers shopbot: Table constraints of the document
it("a rule counts five turns unless told otherwise, and a state counts its turns", async () => {
  const [rule] = await database.sql`
    insert into shopbot.bot_rules (workspace_id, rule_id, version, intent, pattern, response_template, content_hash)
    values (${workspaceId}, 'tea', 1, 'tea', '{"keywords": ["чай"], "mode": "contains"}', 'Есть', 'h')
    returning max_turns, enabled`;
  expect(rule).toEqual({ max_turns: 5, enabled: false });
  const [state] = await database.sql`
    insert into shopbot.bot_state (workspace_id, chat_id) values (${workspaceId}, '1') returning state, context`;
  expect(state).toEqual({ state: "default", context: { turns: 0 } });
});

// covers shopbot: Table constraints of the document
it.each([
  ["a rule without its version", "tea", null],
  ["a version without its rule", null, 1],
])("a log refuses %s", async (_name, rule, version) => {
  await expect(database.sql`
    insert into shopbot.bot_logs (workspace_id, chat_id, inbound_provider_message_id, action, result, outcome, message_text,
      state_before, state_after, matched_rule_id, rule_version)
    values (${workspaceId}, '1', 'm', 'bot_engine_processed', 'ok', 'answered', '?', 'default', 'default', ${rule}, ${version})`).rejects.toThrow(
    "rule_has_version",
  );
});
