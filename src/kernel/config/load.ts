import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isPublished } from "../crypto/index.ts";
import type { Setting, Settings, ValuesOf } from "./setting.ts";
import { allSettings, type SettingGroup, typed } from "./setting-group.ts";
import { type Config, settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Lists all errors in the settings, not only the first. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(
      `The configuration has ${errors.length === 1 ? "an error" : `${errors.length} errors`}:\n  ${errors.join("\n  ")}`,
    );
    this.errors = errors;
  }
}

/** The process's environment over an optional `.env` file of the current folder. */
export function readEnvironment(folder = process.cwd(), own: Environment = process.env): Environment {
  const file = join(folder, ".env");
  return existsSync(file) ? { ...parseEnv(readFileSync(file, "utf8")), ...own } : own;
}

/** Reads the common settings and those of these modules. */
export function loadConfig(environment: Environment, groups: readonly SettingGroup[] = []): Config {
  const errors: string[] = [];
  const values = valuesOf(allSettings(groups), environment, errors);
  const config = { ...values, ...typed(settings, values) };
  errors.push(...errorsAcross(config));
  for (const group of groups) errors.push(...(group.errors?.(typed(group.settings, values), config) ?? []));
  if (errors.length > 0) throw new ConfigError(errors);
  return config;
}

/** Reads only the given settings. */
export function readSettings<S extends Settings>(wanted: S, environment: Environment): ValuesOf<S> {
  const errors: string[] = [];
  const values = valuesOf(Object.entries(wanted), environment, errors);
  if (errors.length > 0) throw new ConfigError(errors);
  return typed(wanted, values);
}

function valuesOf(
  wanted: readonly (readonly [string, Setting])[],
  environment: Environment,
  errors: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of wanted) {
    const text = textUnderNames(name, setting, environment, errors);
    if (text === undefined) {
      values[name] = setting.fallback;
      continue;
    }
    const parsed = setting.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else
      errors.push(`${name} ${parsed.error.issues[0]?.message}${setting.secret ? "" : `, but is "${text}"`}`);
  }
  return values;
}

function textUnderNames(
  name: string,
  setting: Setting,
  environment: Environment,
  errors: string[],
): string | undefined {
  const own = textOf(name, setting, environment, errors);
  const other = setting.alias && textOf(setting.alias, setting, environment, errors);
  if (own === undefined || !other) return own ?? (other || undefined);
  // Nobody could tell which of them is meant.
  if (own !== other && own.split(",")[0]?.trim() !== other)
    errors.push(`${setting.alias} is another name of ${name}, but says something else: keep one of them`);
  return own;
}

function textOf(
  name: string,
  setting: Setting,
  environment: Environment,
  errors: string[],
): string | undefined {
  const direct = blankToAbsent(environment[name]);
  const file = setting.secret ? blankToAbsent(environment[`${name}_FILE`]) : undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) {
    errors.push(`${name} and ${name}_FILE are both set: keep one of them`);
    return undefined;
  }
  try {
    return blankToAbsent(readFileSync(file, "utf8").trim());
  } catch {
    errors.push(`${name}_FILE names ${file}, which cannot be read`);
    return undefined;
  }
}

function errorsAcross(config: Config): string[] {
  const errors: string[] = [];
  if (config.MOLVA_ENV === "production") {
    if (!config.DATABASE_URL)
      errors.push("DATABASE_URL must be set in production: the embedded server is for trying out");
    if (!config.MOLVA_ENCRYPTION_KEYS)
      errors.push("MOLVA_ENCRYPTION_KEYS must be set in production: run `molva config key` to make one");
    if (config.MOLVA_ENCRYPTION_KEYS?.some(isPublished))
      errors.push(
        "MOLVA_ENCRYPTION_KEYS holds a key that anybody can read in Molva's sources: run `molva config key` to make one",
      );
    if (!config.MOLVA_PUBLIC_URL?.startsWith("https:"))
      errors.push(
        "MOLVA_PUBLIC_URL must be set to an https:// address in production: over plain http passwords and secrets can be read on their way",
      );
  }
  if (config.DATABASE_OWNER_URL && !config.DATABASE_URL)
    errors.push("DATABASE_OWNER_URL is of use only beside DATABASE_URL: set both or neither");
  if (config.S3_ENDPOINT) {
    for (const name of ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const) {
      if (!config[name]) errors.push(`${name} must be set when S3_ENDPOINT is`);
    }
  }
  if (config.MOLVA_EXTRA_CA && !existsSync(config.MOLVA_EXTRA_CA))
    errors.push(`MOLVA_EXTRA_CA names ${config.MOLVA_EXTRA_CA}, which does not exist`);
  return errors;
}

function blankToAbsent(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
