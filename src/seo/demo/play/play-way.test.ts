import { expect, it } from "vitest";
import { startSystem } from "../../../../tests/support/running-system.ts";
import { openVault } from "../../../configured/index.ts";
import { systemClock } from "../../../kernel/clock/index.ts";
import { configFrom } from "../../../modules.ts";
import { playWay } from "./play-way.ts";

const MOLVA_ENCRYPTION_KEYS = `${"A".repeat(43)}=`;

it("a newcomer gets from /start to an article, a post and a refund", { timeout: 400_000 }, async () => {
  const running = await startSystem({ business: true, environment: { MOLVA_ENCRYPTION_KEYS } });
  try {
    const told: string[] = [];
    const report = await playWay(
      {
        ...{ sql: running.database.sql, clock: systemClock, twinsUrl: running.twinsUrl },
        ...{ serverUrl: running.system.url(), vault: await openVault(configFrom({ MOLVA_ENCRYPTION_KEYS })) },
      },
      {
        begins: ({ title }) => void told.push(title),
        step: (text) => void told.push(`  · ${text}`),
        checked: (text, ok) => {
          told.push(`  ${ok ? "✓" : "✗"} ${text}`);
          if (process.env.MOLVA_TELL) process.stderr.write(`${told.at(-1)}\n`);
        },
      },
    );
    expect(
      report.criteria.map(({ name, ok }) => [name, ok]),
      told.join("\n"),
    ).toEqual(
      ["start", "project", "site", "tokens", "category", "article", "post", "refund"].map((name) => [
        name,
        true,
      ]),
    );
    expect(report.ok).toBe(true);
  } finally {
    await running.stop();
  }
});
