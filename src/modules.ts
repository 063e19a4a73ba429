import { accounts } from "./accounts/index.ts";
import { advisor, advisorToken } from "./advisor/index.ts";
import { advisorbot } from "./advisorbot/index.ts";
import { audit } from "./audit/index.ts";
import { billing } from "./billing/index.ts";
import { delivery } from "./delivery/index.ts";
import { http } from "./http/index.ts";
import {
  type Config,
  type Environment,
  loadConfig,
  type SettingGroup,
  settingGroup,
} from "./kernel/config/index.ts";
import { llm } from "./llm/index.ts";
import type { Module } from "./module/index.ts";
import { platformSettings } from "./platforms/index.ts";
import { seo } from "./seo/index.ts";
import { shopbot } from "./shopbot/index.ts";
import { workspaces } from "./workspaces/index.ts";

/** The modules of Molva, each after those it depends on. */
export const modules: readonly Module[] = [
  audit,
  http,
  workspaces,
  delivery,
  llm,
  billing,
  shopbot,
  advisor,
  advisorbot(advisorToken),
  accounts,
  seo,
];

/** The settings of platforms and modules. */
export function settingsOfModules(of: readonly Module[] = modules): SettingGroup[] {
  return [settingGroup(platformSettings), ...of.flatMap(({ settings }) => settings ?? [])];
}

/** Loads the configuration of an installation with these modules. */
export function configFrom(environment: Environment, of: readonly Module[] = modules): Config {
  return loadConfig(environment, settingsOfModules(of));
}
