export { isLoopbackHost, takesPublishedSecrets } from "./demo.ts";
export { type Config, ConfigError, type Environment, loadConfig, readEnvironment } from "./load.ts";
export { renderConfigReference, renderEnvExample } from "./render.ts";
export type { Setting, VariableBinding } from "./setting.ts";
export { type SettingName, settings } from "./settings.ts";
