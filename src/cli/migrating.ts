import { auditSettings, setAuditRetention } from "../audit/index.ts";
import { type Config, settingsOf } from "../kernel/config/index.ts";
import { admitApplication, type MigrationReport, migrate, readMigrationSources } from "../kernel/db/index.ts";
import { runWorkerMigrations } from "../kernel/jobs/index.ts";
import { withSql } from "../terminal/index.ts";

/** The configuration for migrations: that of the tables' owner, if the server uses another role. */
export function asOwner(config: Config): Config {
  return { ...config, DATABASE_URL: config.DATABASE_OWNER_URL ?? config.DATABASE_URL };
}

/** Migrates a database to this release, sets what only its owner may, and gives the server's own role access if there is one. */
export async function migrateDatabase(config: Config, ownerUrl: string): Promise<MigrationReport> {
  return withSql(ownerUrl, async (sql) => {
    const report = await migrate(sql, await readMigrationSources());
    await setAuditRetention(sql, settingsOf({ config }, auditSettings).MOLVA_AUDIT_RETENTION_DAYS);
    await sql`select workspaces.ensure_event_partitions()`;
    await runWorkerMigrations(ownerUrl);
    if (config.DATABASE_OWNER_URL && config.DATABASE_URL) await admitApplication(sql, config.DATABASE_URL);
    return report;
  });
}
