import type { Config, Environment } from "../kernel/config/index.ts";
import type { Core } from "../workspaces/index.ts";

export function publicUrlOf(config: Config): string {
  return config.MOLVA_PUBLIC_URL ?? `http://${config.MOLVA_HOST}:${config.MOLVA_PORT}`;
}

/** With twins running, a provider whose address was not set explicitly is its twin. */
export function apiRootsOf(
  config: Config,
  environment: Environment,
  twinsUrl: string | undefined,
): Core["apiRoots"] {
  const rootOf = (name: "TELEGRAM_API_ROOT" | "MAX_API_ROOT", twin: string) =>
    twinsUrl && !environment[name]?.trim() ? `${twinsUrl}/${twin}` : config[name];
  return { telegram: rootOf("TELEGRAM_API_ROOT", "telegram"), max: rootOf("MAX_API_ROOT", "max") };
}

/** Exceptions from the rule that what users name must be public. */
export function allowedHosts(config: Config, twinsUrl: string | undefined): readonly string[] {
  return [...config.MOLVA_ALLOW_HOSTS, ...(twinsUrl ? [new URL(twinsUrl).host] : [])];
}
