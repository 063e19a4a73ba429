import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, expect, it } from "vitest";
import { databaseWithJobs } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { moveClock } from "../../kernel/db/index.ts";
import { keepAudit } from "../audits/audits.ts";
import { logPublication } from "../publications/publications.ts";
import { keepFigures } from "../refresh/keep-figures.ts";
import { addSeo } from "./seo.ts";

const home = tempFolder("cli-seo-schedules");
const environment: Record<string, string> = { MOLVA_ENV: "development" };
const harness = cliHarness({ home, openDatabase: databaseWithJobs, commands: { seo: addSeo }, environment });
const { molva, json } = harness;
const user = ["--user", "42"];

let projectId: number;
let categoryId: string;
beforeEach(async () => {
  await molva("seo", "user", "add", "42", "--name", "Анна");
  const fields = ["name=Мебель", "company_name=Дубрава", "specialization=кухни на заказ"];
  projectId = (await json("seo", "project", "add", ...fields, ...user)).id;
  const category = await json(
    "seo",
    "category",
    "add",
    "name=Кухни",
    "--project",
    String(projectId),
    ...user,
  );
  categoryId = String(category.id);
});
const whose = () => ({ workspaceId: harness.workspace, userId: 42 });

it("schedules are set with their networks, listed, switched, planned and deleted", async () => {
  const connect = async (platform: string) => {
    const [row] = await harness.sql<[{ id: number }]>`
      insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status)
      values (${harness.workspace}, ${projectId}, ${platform}, '{}', ${`${platform}.example`}, 'disconnected') returning id`;
    return String(row.id);
  };
  const [channel, wall] = [await connect("telegram"), await connect("vk")];
  const schedule = (verb: string, ...args: string[]) =>
    molva("seo", "schedule", verb, categoryId, channel, ...args, ...user);
  expect((await schedule("on")).err).toContain("There is no such schedule");
  expect((await schedule("set", "--days", "mon,someday", "--times", "10:00")).err).toContain("days");
  expect((await schedule("set", "--days", "mon", "--times", "10:00", "--cross-post", channel)).err).toContain(
    "another network of the same project is needed",
  );
  const set = await schedule("set", "--days", "wed, mon", "--times", "18:00,10:00", "--cross-post", wall);
  expect(set.out).toMatch(/telegram\s+mon,wed\s+10:00,18:00\s+on/);
  expect(await json("seo", "schedule", "list", ...user)).toMatchObject({
    items: [{ cross_post_connection_ids: [Number(wall)], enabled: true }],
  });
  // Other days and times leave the networks as they are.
  await schedule("set", "--days", "mon,wed", "--times", "10:00,18:00");
  expect(await json("seo", "schedule", "list", ...user)).toMatchObject({
    items: [{ cross_post_connection_ids: [Number(wall)] }],
  });
  await schedule("set", "--days", "mon,wed", "--times", "10:00,18:00", "--cross-post", "");
  expect(await json("seo", "schedule", "list", ...user)).toMatchObject({
    items: [{ cross_post_connection_ids: [] }],
  });
  const plan = await molva("seo", "plan", "--from", "2026-11-16T00:00Z", "--days", "1", ...user);
  expect(plan.out).toContain("2026-11-16T07:00Z");
  expect(plan.out).toContain("2026-11-16 10:00 Europe/Moscow");
  expect(plan.out).toContain("2 publications");
  expect((await molva("seo", "plan", "--days", "99", ...user)).err).toContain("from 1 to 31");
  expect((await schedule("off")).out).toMatch(/mon,wed\s+10:00,18:00\s+off/);
  expect((await molva("seo", "plan", ...user)).out).toContain("Nothing is scheduled.");
  expect((await schedule("on")).out).toMatch(/18:00\s+on/);
  expect((await molva("seo", "schedule", "list", "--user", "43")).out).toContain("No schedules.");
  const gone = ["--reason", "закрыли"];
  expect((await schedule("delete", ...gone, "--dry-run")).out).toContain("Would delete");
  expect((await schedule("delete", ...gone)).code).toBe(0);
  expect((await schedule("delete", ...gone)).err).toContain("There is no such schedule");
});

it("places of articles are listed with their change, shown week by week, and checked only with an account", async () => {
  const id = await logPublication(
    harness.sql,
    whose(),
    {
      ...{ project_id: projectId, platform_type: "wordpress", content_type: "article", status: "success" },
      ...{ keyword: "кухня из дуба", post_url: "https://shop.example/kuhnya/" },
    },
    new Date(),
  );
  const rank = (...args: string[]) => molva("seo", "rank", ...args, ...user);
  expect((await rank("list")).out).toContain("not yet");
  await harness.sql`
    insert into seo.rank_checks (workspace_id, publication_id, checked_at, position, depth)
    values (${harness.workspace}, ${id}, '2026-11-03', 12, 30), (${harness.workspace}, ${id}, '2026-11-10', 9, 30)`;
  await harness.sql`
    update seo.publication_logs set rank_position = 9, rank_checked_at = '2026-11-10' where workspace_id = ${harness.workspace}`;
  expect((await rank("list", "--project", String(projectId))).out).toMatch(/кухня из дуба\s+9 \(\+3\)/);
  expect((await molva("seo", "publication", "list", ...user)).out).toContain("9 (+3)");
  expect(await json("seo", "rank", "show", String(id), ...user)).toMatchObject({
    items: [{ position: 9 }, { position: 12 }],
  });
  expect((await molva("seo", "rank", "show", String(id), "--user", "43")).err).toContain("There is no");
  expect((await rank("check")).err).toContain("set DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD");
});

it("pages that lose readers are listed with the days that are archived of each engine", async () => {
  const list = (...args: string[]) => molva("seo", "refresh", "list", String(projectId), ...args, ...user);
  expect((await list()).out).toContain("Nothing is archived");
  const day = (ago: number) => new Date(Date.UTC(2026, 10, 15) - ago * 86_400_000).toISOString().slice(0, 10);
  const site = { ...whose(), projectId, host: "shop.example" };
  const days = Array.from({ length: 56 }, (_, ago) => [
    { url: "https://shop.example/a/", day: day(ago), clicks: ago < 28 ? 1 : 3, impressions: 50, position: 8 },
    { url: "https://shop.example/b/", day: day(ago), clicks: 2, impressions: 50, position: 4 },
  ]).flat();
  const readAt = new Date();
  await keepFigures(harness.sql, "google", site, {
    ...{ readAt, property: "sc-domain:shop.example", covered: { from: day(55), to: day(0) }, days },
  });
  await keepFigures(harness.sql, "yandex", site, { readAt, property: null });
  const falling = await list();
  expect(falling.out).toMatch(/google, shop\.example\s+archived from 2026-09-21 to 2026-11-15/);
  expect(falling.out).toMatch(/yandex, shop\.example\s+not shared with our account/);
  expect(falling.out).toContain("Set YANDEX_WEBMASTER_LOGIN");
  environment.YANDEX_WEBMASTER_TOKEN = "y0_token-of-the-webmaster-account";
  environment.YANDEX_WEBMASTER_LOGIN = "molva-seo";
  expect((await list()).out).toContain(
    "Yandex: open the site shop.example in Webmaster → Settings → Access rights → Delegate rights. Login: molva-seo.",
  );
  expect(falling.out).toMatch(/84 -> 28\s+8 -> 8\s+falling/);
  expect(falling.out).not.toContain("shop.example/b/");
  expect((await list("--all")).out).toMatch(/56 -> 56\s+4 -> 4\s+steady/);
});

it("the scores of audits are listed with a line each, and drawn into a file", async () => {
  const history = ["seo", "audit", "history", String(projectId)];
  expect((await molva(...history, ...user)).err).toContain("The site was not measured yet");
  for (const [performance, at] of [
    [35, "2026-10-01"],
    [80, "2026-11-01"],
  ] as const)
    await keepAudit(
      { sql: harness.sql, clock: { ...systemClock, now: () => new Date(at) } },
      whose(),
      projectId,
      {
        ...{
          url: "https://shop.example",
          performance,
          accessibility: 100,
          best_practices: null,
          seo_score: 90,
        },
        ...{ lcp_ms: 1_000, inp_ms: null, cls: null, ttfb_ms: null, recommendations: [] },
      },
      {},
    );
  const file = join(home, "trend.png");
  const shown = await molva(...history, "--picture", file, ...user);
  expect(shown.out).toMatch(/performance\s+▃▇/);
  expect(await json(...history, ...user)).toMatchObject({
    items: [{ performance: 35 }, { performance: 80 }],
  });
  const { width, height, format } = await sharp(await readFile(file)).metadata();
  expect([width, height, format]).toEqual([640, 320, "png"]);
});

it("a moved clock is that of commands, too: the plan begins at the moved time", async () => {
  const [{ id }] = await harness.sql<[{ id: number }]>`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status)
    values (${harness.workspace}, ${projectId}, 'telegram', '{}', 'later.example', 'disconnected') returning id`;
  const daily = ["--days", "mon,tue,wed,thu,fri,sat,sun", "--times", "10:00"];
  const days = 400;
  await moveClock(harness.sql, days * 86_400_000);
  await molva("seo", "schedule", "set", categoryId, String(id), ...daily, ...user);
  const [first = ""] = (await molva("seo", "plan", ...user)).out.match(/^\d{4}-\d\d-\d\dT\S+/m) ?? [];
  expect(Date.parse(first)).toBeGreaterThan(Date.now() + (days - 1) * 86_400_000);
});
