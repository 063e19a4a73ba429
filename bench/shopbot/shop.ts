import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openVault, platformsOf } from "../../src/configured/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { paths } from "../../src/kernel/paths/index.ts";
import { configFrom } from "../../src/modules.ts";
import { applyFile, createReplyCompiler, setUpBot } from "../../src/shopbot/index.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { startChild } from "../shared/child.ts";
import type { Server } from "../shared/postgres.ts";

/** The demo shop's rules, and one whose answer repeats the question, so that its order can be told. */
const rules = readFileSync(paths.shopBot, "utf8")
  .replace(/^bot:$/m, "bot:\n  flood: { burst: 1000, per_minute: 6000 }")
  .replace(
    /^rules:$/m,
    'rules:\n  - { id: echo, priority: 1, keywords: [вопрос], answer: "Отвечаю на {{ said }}" }',
  );

export interface Shop {
  readonly sql: Sql;
  /** Where messages are brought, and the secret that opens it. */
  readonly webhook: string;
  readonly secret: string;
  /** What reached the messenger, in the order in which it did. */
  arrived(): Promise<{ chat: string; text: string; at: number }[]>;
  stop(): Promise<void>;
}

/** A shop whose bot has no limits but its own, beside a messenger that takes `delayMs` for every message. */
export async function openShop(server: Server, delayMs: number): Promise<Shop> {
  const databaseUrl = await server.database();
  const home = join(tempFolder("bench-shop"), "home");
  const provider = await startChild(new URL("./provider-process.js", import.meta.url), { delayMs });
  const sql = connect({ url: databaseUrl, max: 4 });
  await migrate(sql, await readMigrationSources());
  await sql`select workspaces.ensure_event_partitions()`;
  const [row] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values ('Магазин') returning workspace_id`;
  const config = configFrom({ MOLVA_HOME: home, DATABASE_URL: databaseUrl });
  const deps = {
    sql,
    clock: systemClock,
    vault: await openVault(config),
    compile: createReplyCompiler(platformsOf(config, {})),
  };
  const secret = "bench-shop-secret-0123456789";
  const by = { operator: "bench" };
  await setUpBot(deps, row.workspace_id, { title: "Магазин", token: "bench-token", secret }, by);
  await applyFile(deps, row.workspace_id, rules, by);
  // The gate and the provider's limits are lifted: they are not what is measured.
  await sql`update shopbot.bots set rate_rps = 0, chat_rps = 0`;
  await sql`update delivery.workspace_endpoints set ingress_rps = 0`;
  // Two processes that meet only in PostgreSQL: one takes messages, the other answers them.
  const start = (role: "api" | "bots") =>
    startChild(new URL("./system-process.js", import.meta.url), {
      home,
      databaseUrl,
      maxApiRoot: provider.url,
      role,
    });
  const api = await start("api");
  const bots = await start("bots");
  return {
    sql,
    secret,
    webhook: `${api.url}/api/v1/bots/max/webhook`,
    async arrived() {
      return JSON.parse(await (await fetch(`${provider.url}/seen`)).text());
    },
    async stop() {
      await Promise.all([api.stop(), bots.stop()]);
      await provider.stop();
      await sql.end();
      await server.drop(databaseUrl);
    },
  };
}
