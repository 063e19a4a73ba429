import { databaseAddress, parsedUrl } from "../url/index.ts";
import type { Environment } from "./load.ts";
import { allSettings, type SettingGroup } from "./setting-group.ts";
import type { Config } from "./settings.ts";

/** Shorter ones would be found inside words. */
const shortest = 8;

/** Every text that a secret setting or a variable of a workspace holds: the value, each of several, the password of an address. */
export function secretsIn(
  config: Config,
  groups: readonly SettingGroup[],
  environment: Environment,
): string[] {
  const values: Readonly<Record<string, unknown>> = config;
  const found = allSettings(groups)
    .filter(([, setting]) => setting.secret)
    .flatMap(([name]) => textsIn(values[name]));
  const ofWorkspaces = config.MOLVA_WORKSPACE_VARIABLES.flatMap(({ name }) => textsIn(environment[name]));
  return longestFirst([...found, ...ofWorkspaces].filter((text) => text.length >= shortest));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const password = parsedUrl(value)?.password ?? databaseAddress(value)?.password;
    return password ? [value, password, decoded(password), encodeURIComponent(password)] : [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** One secret may be the beginning of another. */
const longestFirst = (texts: readonly string[]) =>
  [...new Set(texts)].toSorted((one, other) => other.length - one.length);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
