import type { Clock } from "../kernel/clock/index.ts";
import { type Config, settingsOf } from "../kernel/config/index.ts";
import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Log } from "../kernel/log/index.ts";
import type { MetricSpec, Metrics } from "../kernel/metrics/index.ts";
import { auditSettings } from "./environment.ts";
import type { Verdict } from "./findings.ts";
import { keepAudit } from "./keep-audit.ts";
import { sealAgeNotice } from "./seal.ts";
import { verifyAudit } from "./verify.ts";

interface Needs {
  readonly config: Config;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly vault: Vault;
}

export const auditMetrics = {
  findings: {
    name: "audit_findings",
    help: "Findings that the last verification found in the chains of the audit; any but 0 deserves a look",
  },
} as const satisfies Record<string, MetricSpec>;

/** How many of the newest entries of each chain are verified every hour; all of them are every night. */
export const newestVerified = 500;

/** Verifies, seals and ages the audit. Its routes are in the module of workspaces, which has the tools for them. */
export const audit = {
  name: "audit",
  settings: auditSettings,
  metrics: Object.values(auditMetrics),
  wire(core: Needs) {
    const { sql, clock, log, vault } = core;
    const { MOLVA_AUDIT_RETENTION_DAYS: retentionDays } = settingsOf(core, auditSettings);
    const findings = core.metrics.gauge(auditMetrics.findings);
    const tell = (verdict: Verdict) => {
      findings.set(verdict.findings.length);
      if (!verdict.ok)
        log.error(
          { findings: verdict.findings.slice(0, 10).map(({ says }) => says) },
          "the audit does not hold together: run `molva audit verify`",
        );
      // The next seal covers what is there then, so this is the time to look.
      const { sealed_at } = verdict;
      const notice = sealed_at === null ? undefined : sealAgeNotice(sealed_at, clock.now());
      if (notice) log.warn({ sealed_at }, notice);
    };
    return {
      cron: [
        every("23 * * * *", "audit.verify", async () =>
          tell(await verifyAudit(sql, { vault }, { newest: newestVerified })),
        ),
        every("37 2 * * *", "audit.keep", async () =>
          tell(await keepAudit({ sql, vault, now: clock.now(), retentionDays })),
        ),
      ],
    };
  },
};
