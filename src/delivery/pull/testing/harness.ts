/** The real dependencies of a run: a database, a feed server, and a guarded client that may use it. */

import { type ManualClock, manualClock } from "../../../kernel/clock/index.ts";
import { createVault, generateKey, type Vault } from "../../../kernel/crypto/index.ts";
import { silentLog } from "../../../kernel/log/index.ts";
import { createGuardedClient, createGuardedSockets } from "../../../kernel/outbound/index.ts";
import { createPlatforms } from "../../../platforms/index.ts";
import { createTokens, storeSecret } from "../../../workspaces/index.ts";
import { everyVariable } from "../../../workspaces/testing/variables.ts";
import { aChannel, aWorkspace } from "../../testing/builders.ts";
import type { OwnDatabase } from "../../testing/own-database.ts";
import type { PullDeps } from "../pull.ts";
import { type PullNowReport, pullNow } from "../pull-now.ts";
import type { SourceKind } from "../source.ts";
import { type SourceView, showSource } from "../sources.ts";
import { type FeedServer, startFeedServer } from "./feed-server.ts";

export interface Harness {
  readonly database: OwnDatabase;
  readonly feeds: FeedServer;
  readonly clock: ManualClock;
  readonly vault: Vault;
  readonly deps: PullDeps;
  readonly environment: Record<string, string>;
  /** A workspace with one channel that takes everything. */
  workspace(): Promise<TestWorkspace>;
  close(): Promise<void>;
}

export interface TestWorkspace {
  readonly workspaceId: string;
  add(sourceId: string, source: GivenSource): Promise<void>;
  pull(sourceId: string): Promise<PullNowReport>;
  show(sourceId: string): Promise<SourceView>;
  /** The texts on their way to the channel, in the order in which they were queued. */
  texts(): Promise<string[]>;
  actions(): Promise<string[]>;
  receipts(sourceId: string): Promise<string[]>;
}

export interface GivenSource {
  kind?: SourceKind;
  config: Record<string, unknown>;
  everySeconds?: number;
  secret?: string;
  /** The environment variable that holds the secret instead. */
  secretVariable?: string;
}

export async function startHarness(database: OwnDatabase): Promise<Harness> {
  const feeds = await startFeedServer();
  const clock = manualClock();
  const { sql } = database;
  const environment: Record<string, string> = {};
  const vault = createVault([generateKey()], clock);
  // Tests keep their tables on the same server.
  const allowHosts = [feeds.host, new URL(database.url).host];
  const http = createGuardedClient({ allowHosts });
  const nowhere = "http://127.0.0.1:9";
  const deps: PullDeps = {
    sql,
    clock,
    log: silentLog,
    http,
    sockets: createGuardedSockets({ allowHosts }),
    platforms: createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere }),
    credentials: createTokens(sql, vault, everyVariable(environment)),
  };

  async function workspace(): Promise<TestWorkspace> {
    const workspaceId = await aWorkspace(sql);
    await aChannel(sql, workspaceId);
    return {
      workspaceId,
      async add(sourceId, { kind = "rss", config, everySeconds = 1800, secret, secretVariable }) {
        const kept = secret && (await storeSecret(sql, vault, workspaceId, secret, clock.now()));
        const named = secretVariable ? `env:${secretVariable}` : null;
        await sql`
          select delivery.add_pull_source(${workspaceId}, ${sourceId}, ${kind}, ${JSON.stringify(config)}::text::jsonb,
            ${everySeconds}, ${kept || named}, ${clock.now()})`;
      },
      pull: (sourceId) => pullNow({ workspaceId, sourceId }, deps),
      async show(sourceId) {
        const source = await showSource(sql, { workspaceId, sourceId });
        if (!source) throw new Error(`there is no source ${sourceId}`);
        return source;
      },
      async texts() {
        const rows = await sql<{ text: string }[]>`
          select rendered_text as text from delivery.deliveries where workspace_id = ${workspaceId}
          order by created_at, delivery_id`;
        return rows.map(({ text }) => text);
      },
      async actions() {
        const rows = await sql<{ action: string }[]>`
          select action from workspaces.events where workspace_id = ${workspaceId} order by ts, id`;
        return rows.map(({ action }) => action);
      },
      async receipts(sourceId) {
        const rows = await sql<{ ref: string }[]>`
          select source_ref as ref from delivery.pull_receipts
          where workspace_id = ${workspaceId} and source_id = ${sourceId} order by source_ref`;
        return rows.map(({ ref }) => ref);
      },
    };
  }

  return {
    database,
    feeds,
    clock,
    vault,
    deps,
    environment,
    workspace,
    async close() {
      await http.close();
      await feeds.close();
      await database.drop();
    },
  };
}
