import type { Setting, Settings, ValuesOf } from "./setting.ts";
import { type Config, settings as commonSettings } from "./settings.ts";

/** The settings that a module adds. */
export interface SettingGroup<S extends Settings = Settings> {
  readonly settings: S;
  /** Errors in combinations of settings, which no single setting can show. */
  errors?(values: ValuesOf<S>, config: Config): readonly string[];
}

export function settingGroup<const S extends Settings>(
  settings: S,
  errors?: SettingGroup<S>["errors"],
): SettingGroup<S> {
  return { settings, ...(errors && { errors }) };
}

/** Every setting by name: first the common ones, then those that modules add. */
export function allSettings(groups: readonly SettingGroup[]): [string, Setting][] {
  return [commonSettings, ...groups.map(({ settings }) => settings)].flatMap((each) =>
    Object.entries<Setting>(each),
  );
}

/** A module's own settings, out of a configuration that was loaded with them. */
export function settingsOf<S extends Settings>(
  { config }: { readonly config: Config },
  { settings }: SettingGroup<S>,
): ValuesOf<S> {
  const loaded: Readonly<Record<string, unknown>> = config;
  const missing = Object.keys(settings).filter((name) => !Object.hasOwn(loaded, name));
  if (missing.length > 0) throw new Error(`the configuration was loaded without ${missing.join(", ")}`);
  return typed(settings, loaded);
}

/** The only cast: `loadConfig` has made sure that each value comes from its setting's schema or fallback. */
export function typed<S extends Settings>(
  settings: S,
  loaded: Readonly<Record<string, unknown>>,
): ValuesOf<S> {
  return Object.fromEntries(Object.keys(settings).map((name) => [name, loaded[name]])) as ValuesOf<S>;
}
