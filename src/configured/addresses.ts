import type { Config, Environment } from "../kernel/config/index.ts";

export function publicUrlOf(config: Config): string {
  return config.MOLVA_PUBLIC_URL ?? `http://${config.MOLVA_HOST}:${config.MOLVA_PORT}`;
}

/** The address of Telegraph: its twin if twins run and the address was not set. */
export function telegraphRootOf(
  config: Config,
  environment: Environment,
  twinsUrl: string | undefined,
): string {
  return twinsUrl && !environment.TELEGRAPH_API_ROOT?.trim()
    ? `${twinsUrl}/telegraph`
    : config.TELEGRAPH_API_ROOT;
}

/** Hosts that users may name although they are not public. */
export function allowedHosts(config: Config, twinsUrl: string | undefined): readonly string[] {
  return [...config.MOLVA_ALLOW_HOSTS, ...(twinsUrl ? [new URL(twinsUrl).host] : [])];
}
