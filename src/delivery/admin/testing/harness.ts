import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "../../../http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../../http/testing/http-server.ts";
import { type Clock, systemClock } from "../../../kernel/clock/index.ts";
import type { VariableBinding } from "../../../kernel/config/index.ts";
import { createVault, generateKey, type Vault } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { silentLog } from "../../../kernel/log/index.ts";
import {
  createGuardedClient,
  createGuardedSockets,
  createProviderClient,
} from "../../../kernel/outbound/index.ts";
import { createStorage, type ObjectStorage } from "../../../kernel/storage/index.ts";
import { createPlatforms, withTwins } from "../../../platforms/index.ts";
import { createCredentials, createVariables, tenantRoutes } from "../../../workspaces/index.ts";
import { createMailer } from "../../monitor/targets/email.ts";
import { aWorkspace } from "../../testing/builders.ts";
import type { OwnDatabase } from "../../testing/own-database.ts";
import { adminRoutes, monitorRoutes } from "../index.ts";

/** The configuration's routes on a real server, and a caller who may do everything in its own workspace. */
export interface AdminHarness {
  readonly sql: Sql;
  readonly server: TestHttpServer;
  readonly vault: Vault;
  readonly storage: ObjectStorage;
  readonly workspaceId: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The pages of a list, two items each, following `next`. */
  pages(path: string): Promise<Answer["body"][][]>;
  /** The workspace's events of configuration changes, oldest first. */
  events(workspaceId?: string): Promise<ChangeEvent[]>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface ChangeEvent {
  readonly action: string;
  readonly attempt: number;
  readonly result: string;
  readonly channel_id: string | null;
  readonly delivery_id: string | null;
  readonly meta: Record<string, unknown>;
}

export const everyScope: readonly Scope[] = ["read", "write", "operate", "admin"];

const nowhere = "http://127.0.0.1:1";

export interface HarnessOptions {
  readonly allowHosts?: readonly string[];
  readonly clock?: Clock;
  readonly telegramApiRoot?: string;
  readonly maxApiRoot?: string;
  /** The twins' address, used for every provider whose address was not set. */
  readonly twinsUrl?: string;
  readonly smtpUrl?: string;
  readonly bindings?: readonly VariableBinding[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export async function startAdminHarness(
  { sql, drop }: OwnDatabase,
  {
    allowHosts = [],
    clock = systemClock,
    telegramApiRoot = nowhere,
    maxApiRoot = nowhere,
    twinsUrl,
    smtpUrl,
    bindings = [],
    environment = {},
  }: HarnessOptions = {},
): Promise<AdminHarness> {
  const vault = createVault([generateKey()], clock);
  const variables = createVariables(bindings, environment);
  const guarded = createGuardedClient({ allowHosts });
  const sockets = createGuardedSockets({ allowHosts });
  const http = createProviderClient({ defaultTimeoutMs: 5_000 });
  const mailer = smtpUrl ? createMailer({ url: smtpUrl }) : undefined;
  const platforms = createPlatforms(
    withTwins({ TELEGRAM_API_ROOT: telegramApiRoot, MAX_API_ROOT: maxApiRoot }, twinsUrl),
  );
  const credentials = createCredentials(sql, vault, variables, { platforms, http, clock });
  const folder = mkdtempSync(join(tmpdir(), "molva-harness-"));
  const storage = createStorage({ folder, urlBase: nowhere, secret: "s", clock });
  const server = await startTestHttpServer({
    sql,
    clock,
    modules: [
      tenantRoutes({ sql, clock, storage }),
      adminRoutes({
        ...{ sql, clock, vault, variables, storage, sockets, platforms, credentials, guarded },
        http: guarded,
        providers: http,
        log: silentLog,
      }),
      monitorRoutes({
        ...{ sql, clock, vault, variables, http, guarded, mailer, platforms, credentials, log: silentLog },
        publicUrl: "https://molva.example.com",
        sendingLeaseSeconds: 300,
        claimedLeaseSeconds: 300,
      }),
    ],
  });
  const workspaceId = await aWorkspace(sql);
  const headers = await server.bearer(everyScope, workspaceId);

  async function pages(path: string, after = ""): Promise<Answer["body"][][]> {
    const { body } = await asked(server, headers, "GET", `${path}?limit=2${after}`);
    return [body.items, ...(body.next === null ? [] : await pages(path, `&after=${body.next}`))];
  }

  return {
    sql,
    server,
    vault,
    storage,
    workspaceId,
    pages,
    call: (method, path, body) => asked(server, headers, method, path, body),
    events: (of = workspaceId) => sql<ChangeEvent[]>`
      select action, attempt, result, channel_id, delivery_id, meta from workspaces.events
      where workspace_id = ${of} order by ts, id`,
    async stop() {
      await server.stop();
      await Promise.all([http.close(), guarded.close(), storage.close()]);
      rmSync(folder, { recursive: true, force: true });
      await drop();
    },
  };
}

export async function asked(
  server: TestHttpServer,
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await server.call(`/api/v1${path}`, { method, headers, body });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : undefined };
}
