import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "./testing/builders.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it("names the messages that other deliveries of the channel have: sent alone, as part of a series, or under way", async () => {
  const { sql } = database;
  const workspace = await aWorkspace(sql);
  const channel = await aChannel(sql, workspace, { max_parallel: 10 });
  for (const text of ["один", "серия", "в пути", "своя"]) await enqueue(sql, workspace, text);
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10)`;
  const started = await sql`
    select s.delivery_id, s.claim_token, d.rendered_text as text
    from delivery.start_sending(${workspace}, 'run', 10) s join delivery.deliveries d using (delivery_id)`;
  const of = (text: string) => started.find((row) => row.text === text);
  const sent = (text: string, ids: string[]) => sql`
    select delivery.mark_sent(${workspace}, ${of(text)?.delivery_id}, ${ids[0] ?? ""}, now(),
      ${sql.json({ raw: { messages: ids.map((id, index) => ({ index, id })) } })})`;
  await sent("один", ["mid.1"]);
  await sent("серия", ["mid.2", "mid.3"]);
  await sql`select delivery.save_progress(${workspace}, ${of("в пути")?.delivery_id}, ${of("в пути")?.claim_token}, 0, 'mid.4')`;
  await sql`select delivery.save_progress(${workspace}, ${of("своя")?.delivery_id}, ${of("своя")?.claim_token}, 0, 'mid.5')`;

  const taken = async (channelId: string) => {
    const ids = ["mid.1", "mid.2", "mid.3", "mid.4", "mid.5", "mid.6"];
    const rows = await sql`
      select id from delivery.taken_messages(${workspace}, ${channelId}, ${of("своя")?.delivery_id}, ${ids}, now() - interval '1 hour') as id`;
    return rows.map(({ id }) => id).toSorted();
  };
  expect(await taken(channel)).toEqual(["mid.1", "mid.2", "mid.3", "mid.4"]);
  expect(await taken(await aChannel(sql, workspace))).toEqual([]);
});
