export { isLoopbackHost, takesPublishedSecrets } from "./demo.ts";
export { ConfigError, type Environment, loadConfig, readEnvironment, readSettings } from "./load.ts";
export { renderConfigReference, renderEnvExample } from "./render.ts";
export { secretsIn } from "./secrets-in.ts";
export {
  address,
  oneOf,
  root,
  type Setting,
  type Settings,
  type VariableBinding,
  wholeNumber,
  word,
  yesNo,
} from "./setting.ts";
export { allSettings, type SettingGroup, settingGroup, settingsOf } from "./setting-group.ts";
export type { Config } from "./settings.ts";
export { type StopTimes, stopTimesOf } from "./stop-times.ts";
