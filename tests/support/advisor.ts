import { randomUUID } from "node:crypto";
import { type AdvisorDeps, type AdvisorSettings, advisorRoutes } from "../../src/advisor/index.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import type { HttpSettings } from "../../src/http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../src/http/testing/http-server.ts";
import type { ManualClock } from "../../src/kernel/clock/index.ts";
import { type Log, silentLog } from "../../src/kernel/log/index.ts";
import { createStorage, type ObjectStorage } from "../../src/kernel/storage/index.ts";
import { type Gateway, readSeedFiles } from "../../src/llm/index.ts";
import { aGateway } from "../../src/llm/testing/harness.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { tempFolder } from "./temp-folder.ts";

export const token = "a-token-of-the-advisor-for-tests";

/** The advisor behind real HTTP, with the release's policies and prompts and the twin's models. */
export interface AdvisorHarness {
  readonly database: TestDatabase;
  readonly twins: TestTwins;
  readonly clock: ManualClock;
  readonly gateway: Gateway;
  readonly server: TestHttpServer;
  readonly storage: ObjectStorage;
  readonly deps: AdvisorDeps;
  readonly workspaceId: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  ask(given?: Asked): Promise<Reply>;
  /** A new person on this plan. */
  person(plan?: "free" | "pro"): Promise<number>;
  close(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is what the test looks at
  readonly body: any;
  readonly headers: Headers;
}

export interface Asked {
  readonly id?: string;
  readonly user?: number;
  readonly text?: string;
  readonly locale?: string;
  readonly context?: Record<string, unknown>;
  readonly more?: Record<string, unknown>;
}

/** How requests name a person. */
export const user = (id: number) => ({ telegram_user_id: id });

/** The fields that every error has. */
export const plain = (status: number, code: string, reason: string) => ({
  status,
  body: { error: { code, reason } },
});

let lastPerson = 1000;

export async function advisorHarness(
  given: { settings?: Partial<AdvisorSettings>; http?: Partial<HttpSettings>; log?: Log } = {},
): Promise<AdvisorHarness> {
  const database = await testDatabase();
  const { sql } = database;
  await sql`select workspaces.ensure_event_partitions(p_now => '2026-11-15T12:00:00Z')`;
  const twins = await startTestTwins();
  const workspaceId = await aWorkspace(sql);
  const { gateway, clock, close } = aGateway(sql, twins.url, { files: await readSeedFiles() });
  const storage = createStorage({
    ...{ folder: tempFolder("advisor"), urlBase: "https://molva.test/media", secret: "secret", clock },
  });
  const settings: AdvisorSettings = {
    ...{ token, version: "0.1.0", publicUrl: () => server.url(), behindTls: false },
    ...{ freeDailyLimit: 3, cooldownSec: 25, freeTtlSec: 3_600, proTtlSec: 2_592_000 },
    ...{ researchLimit: 2, photoLimit: 30, maxTurns: 6 },
    ...given.settings,
  };
  const deps = {
    ...{ sql, clock, gateway, storage, settings },
    log: given.log ?? silentLog,
    workspaceId: async () => workspaceId,
  };
  const server = await startTestHttpServer({
    ...{ sql, clock, modules: [advisorRoutes(deps)] },
    ...(given.log && { log: given.log }),
    ...(given.http && { settings: given.http }),
  });

  const call: AdvisorHarness["call"] = async (method, path, body, headers = {}) => {
    const answer = await server.call(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers };
  };

  return {
    ...{ database, twins, clock, gateway, server, storage, deps, workspaceId, call },
    ask: ({
      id = randomUUID(),
      user = 1,
      text = "Чем кормить кота летом?",
      locale = "ru",
      context,
      more,
    } = {}) =>
      call("POST", "/v1/chat/ask", {
        request_id: id,
        user: { telegram_user_id: user, telegram_chat_id: user, locale },
        ...(context && { context }),
        message: { text },
        ...more,
      }),
    async person(plan = "free") {
      lastPerson += 1;
      const now = clock.now();
      await sql`select advisor.lock_user(${workspaceId}, ${lastPerson}, 'ru', ${now})`;
      await sql`update advisor.users set plan = ${plan} where workspace_id = ${workspaceId} and telegram_user_id = ${lastPerson}`;
      return lastPerson;
    },
    async close() {
      await server.stop();
      await close();
      await storage.close();
      await twins.close();
      await database.drop();
    },
  };
}
