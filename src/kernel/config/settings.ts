import type { ValuesOf } from "./setting.ts";
import { backupSettings } from "./settings-backup.ts";
import { providerSettings } from "./settings-providers.ts";
import { serverSettings } from "./settings-server.ts";
import { workSettings } from "./settings-work.ts";

/** Settings of every installation, whatever its modules; in the order in which the documents list them. */
export const settings = { ...serverSettings, ...backupSettings, ...providerSettings, ...workSettings };

/** It also holds the settings of modules, which `settingsOf` reads. */
export type Config = ValuesOf<typeof settings>;
