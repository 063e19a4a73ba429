import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";

/** The document's tables with their columns, in its order; money is kept by billing, prompts by the gateway to models. */
const tables: Readonly<Record<string, string>> = {
  "seo.users_with_balance":
    "id username first_name last_name balance language role referrer_id notify_publications notify_balance notify_news created_at last_activity",
  "seo.projects":
    "id user_id name company_name specialization website_url company_city company_address company_phone company_email company_instagram company_vk company_pinterest company_telegram experience advantages description timezone created_at",
  "seo.platform_connections": "id project_id platform_type status credentials metadata identifier created_at",
  "seo.categories":
    "id project_id name description keywords media prices reviews image_settings text_settings created_at",
  "seo.platform_content_overrides": "id category_id platform_type image_settings text_settings",
  "seo.platform_schedules":
    "id category_id platform_type connection_id schedule_days schedule_times posts_per_day enabled status qstash_schedule_ids last_post_at created_at",
  "seo.publication_logs":
    "id user_id project_id category_id platform_type connection_id keyword content_type images_count post_url word_count tokens_spent ai_model generation_time_ms prompt_version content_hash status error_message rank_position rank_checked_at created_at",
  "billing.token_expenses":
    "id user_id amount operation_type description ai_model input_tokens output_tokens cost_usd created_at",
  "billing.payments":
    "id user_id provider status telegram_payment_charge_id provider_payment_charge_id stars_amount yookassa_payment_id yookassa_payment_method_id package_name tokens_amount amount_rub is_subscription subscription_id subscription_status subscription_expires_at referral_bonus_credited created_at",
  "seo.site_audits":
    "id project_id url performance accessibility best_practices seo_score lcp_ms inp_ms cls ttfb_ms full_report recommendations audited_at",
  "seo.site_brandings": "id project_id url colors fonts logo_url extracted_at",
  "seo.article_previews":
    "id user_id project_id category_id connection_id telegraph_url telegraph_path title keyword word_count images_count tokens_charged regeneration_count status content_html images created_at expires_at",
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it.each(Object.entries(tables))("%s has the document's columns", async (table, columns) => {
  const found = await database.sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`;
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(columns.split(" ")));
});

it("every table of the schema begins its key with the workspace, and is closed to strangers", async () => {
  const found = await database.sql<{ name: string; first: string; closed: boolean }[]>`
    select c.relname as name, a.attname as first, c.relrowsecurity as closed
    from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'seo'::regnamespace and c.relkind = 'r'`;
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ first, closed }) => first !== "workspace_id" || !closed)).toEqual([]);
});

it("an import may bring ids, and the next ones come after them", async () => {
  const { sql } = database;
  const [{ workspace }] = await sql<[{ workspace: string }]>`
    insert into workspaces.workspaces (name) values ('Перенос') returning workspace_id as workspace`;
  await sql`select seo.meet_user(${workspace}, 5, null, null, null, null, null, false)`;
  await sql`
    insert into seo.projects (workspace_id, id, user_id, name, company_name, specialization)
    values (${workspace}, 4321, 5, 'Старый проект', 'Дубрава', 'кухни на заказ')`;
  await sql`select seo.advance_ids()`;
  const [next] = await sql<[{ id: number }]>`
    insert into seo.projects (workspace_id, user_id, name, company_name, specialization)
    values (${workspace}, 5, 'Новый проект', 'Дубрава', 'кухни на заказ') returning id`;
  expect(next.id).toBe(4322);
});
