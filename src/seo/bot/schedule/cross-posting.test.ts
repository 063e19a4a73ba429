import { afterAll, beforeAll, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { postWorld, type Shop } from "../../../../tests/support/seo-bot-posts.ts";
import { pressed, seoOwner } from "../../../../tests/support/seo-owner.ts";
import { readCategory } from "../../categories/categories.ts";
import { removeConnection } from "../../connections/connect.ts";
import { readSchedule } from "../../schedules/schedules.ts";

let harness: SeoBotHarness;
let shop: Shop;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
  shop = await (await postWorld(harness)).aShop({ networks: ["telegram", "vk"] });
});
afterAll(() => harness.close());

const place = () => ({ categoryId: shop.categoryId, connectionId: shop.connections.telegram ?? 0 });
const crossed = async () =>
  (await readSchedule(harness.sql, { workspaceId: harness.workspaceId, userId: shop.person.id }, place()))
    ?.cross_post_connection_ids;

it("the posts of a schedule are adapted to the networks that its owner has tapped, and to no others", async () => {
  const { person, categoryId, connections } = shop;
  const { telegram, vk } = connections;
  await person.tap(`category:${categoryId}:connection:${telegram}:schedule`);
  await person.screen();
  // Without a schedule there is nothing to adapt.
  expect((await person.labels()).some((label) => label.startsWith("Кросс-постинг"))).toBe(false);
  await pressed(person, "Каждый день в 10:00");
  expect(await pressed(person, "Кросс-постинг")).toContain("Куда ещё публиковать посты этого расписания?");
  const network = (await person.labels()).find((label) => label.startsWith("VK: ")) ?? "";
  await pressed(person, network);
  expect(await crossed()).toEqual([vk]);
  expect(await person.labels()).toContain(`✓ ${network}`);
  await pressed(person, "Назад");
  expect(await person.labels()).toContain("Кросс-постинг: 1");
  // Other days keep it.
  await pressed(person, "1 раз в неделю (Пн, 10:00)");
  expect(await crossed()).toEqual([vk]);
  await pressed(person, "Кросс-постинг: 1");
  await pressed(person, `✓ ${network}`);
  expect(await crossed()).toEqual([]);
});

it("a network of somebody else, or the schedule's own, is refused", async () => {
  const { person, categoryId, connections } = shop;
  const at = `cross:${categoryId}:${connections.telegram}`;
  await person.tap(`${at}:${connections.telegram}`);
  expect((await person.screen()).text).toContain("нужна другая соцсеть этого же проекта");
  await person.tap(`${at}:999999`);
  await person.screen();
  const { person: stranger } = await seoOwner(harness);
  await stranger.tap(`${at}:${connections.vk}`);
  await stranger.screen();
  expect(await crossed()).toEqual([]);
});

it("a network that is removed leaves the schedules that posted to it, and others can be chosen", async () => {
  const { person, categoryId, connections } = shop;
  const whose = { workspaceId: harness.workspaceId, userId: person.id };
  const { project_id: projectId } = await readCategory(harness.sql, whose, categoryId);
  const [gone] = await harness.sql<[{ id: number }]>`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status)
    values (${harness.workspaceId}, ${projectId}, 'pinterest', '{}', 'board', 'disconnected') returning id`;
  const at = `cross:${categoryId}:${connections.telegram}`;
  await person.tap(`${at}:${gone.id}`);
  await person.screen();
  expect(await crossed()).toEqual([gone.id]);
  await removeConnection(harness.services, whose, gone.id);
  expect(await crossed()).toEqual([]);
  await person.tap(`${at}:${connections.vk}`);
  await person.screen();
  expect(await crossed()).toEqual([connections.vk]);
});
