import type { Clock } from "../../../kernel/clock/index.ts";
import { createVault, generateKey, type Vault } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { silentLog } from "../../../kernel/log/index.ts";
import { createGuardedClient, createProviderClient } from "../../../kernel/outbound/index.ts";
import { createPlatforms } from "../../../platforms/index.ts";
import { createTokens } from "../../../workspaces/index.ts";
import { noVariables } from "../../../workspaces/testing/variables.ts";
import type { MonitorDeps } from "../run-monitor.ts";
import { createMailer } from "../targets/email.ts";

export interface TestMonitor {
  readonly deps: MonitorDeps;
  readonly vault: Vault;
  close(): Promise<void>;
}

/** The dependencies of a monitor, with local servers. */
export function monitorDeps(options: {
  sql: Sql;
  clock: Clock;
  telegramApiRoot?: string;
  webhookHosts?: readonly string[];
  smtpUrl?: string;
}): TestMonitor {
  const { sql, clock } = options;
  const vault = createVault([generateKey()], clock);
  const http = createProviderClient({ defaultTimeoutMs: 5_000 });
  const guarded = createGuardedClient({ allowHosts: [...(options.webhookHosts ?? [])] });
  const mailer = options.smtpUrl ? createMailer({ url: options.smtpUrl }) : undefined;
  return {
    vault,
    deps: {
      sql,
      clock,
      log: silentLog,
      http,
      guarded,
      mailer,
      platforms: createPlatforms({
        TELEGRAM_API_ROOT: options.telegramApiRoot ?? "http://127.0.0.1:9",
        MAX_API_ROOT: "http://127.0.0.1:9",
      }),
      credentials: createTokens(sql, vault, noVariables),
      publicUrl: "https://molva.example.com",
      sendingLeaseSeconds: 300,
      claimedLeaseSeconds: 300,
    },
    async close() {
      await Promise.all([http.close(), guarded.close()]);
    },
  };
}
