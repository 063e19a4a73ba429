import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { type Child, startChild } from "../shared/child.ts";
import type { Server } from "../shared/postgres.ts";

export interface Service {
  readonly sql: Sql;
  /** The address of each process. */
  readonly doors: readonly string[];
  readonly modelUrl: string;
  readonly databaseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const token = "bench-advisor-token-0123456789";

/** A model, and processes of the service that share only PostgreSQL. */
export async function openService(
  server: Server,
  { processes, dailyLimit }: { processes: number; dailyLimit: number },
): Promise<Service> {
  const databaseUrl = await server.database();
  const sql = connect({ url: databaseUrl, max: 4 });
  await migrate(sql, await readMigrationSources());
  await sql`insert into workspaces.workspaces (name) values ('Советник')`;
  const model = await startChild(new URL("./model-process.js", import.meta.url), {});
  const started: Child[] = [];
  for (let index = 0; index < processes; index += 1) {
    const home = join(tempFolder("bench-advisor"), "home");
    const settings = { home, databaseUrl, modelUrl: model.url, token, dailyLimit };
    started.push(await startChild(new URL("./system-process.js", import.meta.url), settings));
  }
  return {
    sql,
    doors: started.map(({ url }) => `${url}/v1/chat/ask`),
    modelUrl: model.url,
    databaseUrl,
    headers: { authorization: `Bearer ${token}` },
    async stop() {
      await Promise.all(started.map((each) => each.stop()));
      await model.stop();
      await sql.end();
      await server.drop(databaseUrl);
    },
  };
}

export function question(user: number, text = "Чем кормить кота летом?") {
  return { request_id: randomUUID(), user: { telegram_user_id: user, locale: "ru" }, message: { text } };
}
