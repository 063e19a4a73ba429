import { systemClock } from "../kernel/clock/index.ts";
import type { Config } from "../kernel/config/index.ts";
import { type InstallationCap, listInstallationCaps } from "../llm/index.ts";
import { UserError, withDatabase } from "../terminal/index.ts";

/** How much of the caps over all workspaces is used; a reached cap stops all models. */
export async function checkSpending(config: Config): Promise<string> {
  const caps = await withDatabase(config, async (sql) => {
    const [exists] = await sql<
      [{ found: boolean }]
    >`select to_regclass('llm.installation_caps') is not null as found`;
    return exists.found ? listInstallationCaps(sql, systemClock.now()) : [];
  });
  if (caps.length === 0)
    return "no cap for the whole installation; `molva llm budget set installation month usd 100` sets one";
  const says = caps.map(shown).join("; ");
  if (caps.some(({ cap, used }) => used >= cap))
    throw new UserError(`${says}: models answer nothing until then, or until a higher cap is set`);
  return says;
}

function shown({ period, unit, cap, used, ends_at }: InstallationCap): string {
  return `${used} of ${cap} ${unit} used this ${period}, until ${ends_at.toISOString()}`;
}
