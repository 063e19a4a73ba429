import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { ensureAdmin } from "../../http/index.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { runCommand } from "../testing/run-command.ts";
import { addSessionCommand } from "./session.ts";
import { addToken } from "./token.ts";

const home = tempFolder("token-command");
let database: TestDatabase;
let login: string;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  ({ login } = await ensureAdmin(sql, { clock }));
  await sql`
    insert into molva.sessions (operator_id, token_sha256, created_at, last_seen_at, expires_at)
    select id, repeat('a', 64), now(), now(), now() + interval '1 day' from molva.operators`;
  await molva("token", "add", "n8n");
  await sql.unsafe(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise 'the audit is full'; end $$;
    create trigger broken before insert on audit.pending for each row execute function public.refuse()`);
});
afterAll(() => database?.drop());

const adds = { token: addToken, session: addSessionCommand } as const;
const molva = (command: keyof typeof adds, ...args: string[]) =>
  runCommand(adds[command], [command, ...args], { MOLVA_HOME: home, DATABASE_URL: database.url });

const state = async () => {
  const { sql } = database;
  return [await sql`select * from molva.api_tokens`, await sql`select id from molva.sessions`];
};

it.each<[keyof typeof adds, (login: string) => string[]]>([
  ["token", () => ["add", "another"]],
  ["token", () => ["networks", "n8n", "203.0.113.0/24"]],
  ["token", () => ["revoke", "n8n"]],
  ["session", (whose) => ["revoke", "--operator", whose]],
])("molva %s changes nothing that the audit cannot hold", async (command, args) => {
  const before = await state();
  expect(before.map(({ length }) => length)).toEqual([1, 1]);
  const ran = await molva(command, ...args(login));
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("PostgreSQL P0001")]);
  expect(await state()).toEqual(before);
});
