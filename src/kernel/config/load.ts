import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { z } from "zod";
import { isPublished } from "../crypto/index.ts";
import { takesPublishedSecrets } from "./demo.ts";
import type { Setting } from "./setting.ts";
import { type SettingName, settings } from "./settings.ts";

type ValueOf<S> = S extends { schema: z.ZodType<infer T> } ? T : never;

/** The settings as values: always there when the setting has a fallback, perhaps absent otherwise. */
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends { fallback: unknown }
    ? ValueOf<(typeof settings)[Name]>
    : ValueOf<(typeof settings)[Name]> | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong with the environment, at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n  ${faults.join("\n  ")}`,
    );
    this.faults = faults;
  }
}

/** The process's environment over an optional `.env` file of the current folder. */
export function readEnvironment(folder = process.cwd(), own: Environment = process.env): Environment {
  const file = join(folder, ".env");
  return existsSync(file) ? { ...parseEnv(readFileSync(file, "utf8")), ...own } : own;
}

export function loadConfig(environment: Environment = readEnvironment()): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const text = textOf(name, setting, environment, faults);
    if (text === undefined) {
      values[name] = setting.fallback;
      continue;
    }
    const parsed = setting.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else
      faults.push(`${name} ${parsed.error.issues[0]?.message}${setting.secret ? "" : `, but is "${text}"`}`);
  }
  // Every name was filled from its own schema or fallback just above; the mapped type cannot see through the loop.
  const config = values as Config;
  faults.push(...faultsAcross(config));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function textOf(
  name: string,
  setting: Setting,
  environment: Environment,
  faults: string[],
): string | undefined {
  const direct = blankToAbsent(environment[name]);
  const file = setting.secret ? blankToAbsent(environment[`${name}_FILE`]) : undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) {
    faults.push(`${name} and ${name}_FILE are both set: keep one of them`);
    return undefined;
  }
  try {
    return blankToAbsent(readFileSync(file, "utf8").trim());
  } catch {
    faults.push(`${name}_FILE names ${file}, which cannot be read`);
    return undefined;
  }
}

function faultsAcross(config: Config): string[] {
  const faults: string[] = [];
  if (config.MOLVA_ENV === "production") {
    if (!config.DATABASE_URL)
      faults.push("DATABASE_URL must be set in production: the embedded server is for trying out");
    if (!config.MOLVA_ENCRYPTION_KEYS)
      faults.push("MOLVA_ENCRYPTION_KEYS must be set in production: run `molva config key` to make one");
    if (config.MOLVA_ENCRYPTION_KEYS?.some(isPublished))
      faults.push(
        "MOLVA_ENCRYPTION_KEYS holds a key that anybody can read in Molva's sources: run `molva config key` to make one",
      );
    if (!config.MOLVA_PUBLIC_URL?.startsWith("https:"))
      faults.push(
        "MOLVA_PUBLIC_URL must be set to an https:// address in production: over plain http passwords and secrets can be read on their way",
      );
  }
  if (config.BOT_BACKEND_TOKEN && isPublished(config.BOT_BACKEND_TOKEN) && !takesPublishedSecrets(config))
    faults.push(
      "BOT_BACKEND_TOKEN is the demo's, which anybody can read in Molva's documents: set one of your own, such as `openssl rand -hex 32` makes",
    );
  if (config.DATABASE_OWNER_URL && !config.DATABASE_URL)
    faults.push("DATABASE_OWNER_URL is of use only beside DATABASE_URL: set both or neither");
  if ((config.MOLVA_TELEGRAM_API_ID === undefined) !== (config.MOLVA_TELEGRAM_API_HASH === undefined))
    faults.push("MOLVA_TELEGRAM_API_ID and MOLVA_TELEGRAM_API_HASH belong together: set both or neither");
  if (config.S3_ENDPOINT) {
    for (const name of ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const) {
      if (!config[name]) faults.push(`${name} must be set when S3_ENDPOINT is`);
    }
  }
  if (config.MOLVA_EXTRA_CA && !existsSync(config.MOLVA_EXTRA_CA))
    faults.push(`MOLVA_EXTRA_CA names ${config.MOLVA_EXTRA_CA}, which does not exist`);
  if (config.MOLVA_SENDING_LEASE_SECONDS <= config.MOLVA_SEND_TIMEOUT_SECONDS)
    faults.push(
      "MOLVA_SENDING_LEASE_SECONDS must be longer than MOLVA_SEND_TIMEOUT_SECONDS, or live sends are taken for dead",
    );
  return faults;
}

function blankToAbsent(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
