import type { Config } from "../kernel/config/index.ts";

export function publicUrlOf(config: Config): string {
  return config.MOLVA_PUBLIC_URL ?? `http://${config.MOLVA_HOST}:${config.MOLVA_PORT}`;
}

/** Telegram brings updates to nothing else. */
export function secureUrlOf({ MOLVA_PUBLIC_URL: url }: Config): string | undefined {
  return url?.startsWith("https:") ? url : undefined;
}

/** With twins running, a provider whose address was not set explicitly is its twin. */
export function apiRootOf(
  name: "TELEGRAM_API_ROOT" | "MAX_API_ROOT",
  twin: string,
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  twinsUrl: string | undefined,
): string {
  return twinsUrl && !environment[name]?.trim() ? `${twinsUrl}/${twin}` : config[name];
}

/** Exceptions from the rule that what users name must be public. */
export function allowedHosts(config: Config, twinsUrl: string | undefined): readonly string[] {
  return [...config.MOLVA_ALLOW_HOSTS, ...(twinsUrl ? [new URL(twinsUrl).host] : [])];
}
