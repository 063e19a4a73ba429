import { type Clock, systemClock } from "../kernel/clock/index.ts";
import type { Config } from "../kernel/config/index.ts";
import { createVault, ensureKeyFile, type Vault } from "../kernel/crypto/index.ts";

export async function openVault(config: Config, clock: Clock = systemClock): Promise<Vault> {
  return createVault(config.MOLVA_ENCRYPTION_KEYS ?? (await ensureKeyFile(config.MOLVA_HOME)), clock);
}
