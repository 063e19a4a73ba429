import type { Config } from "./settings.ts";

/** Whether the host is reachable from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Published secrets are accepted only where nobody but the person at this machine can use them. */
export function takesPublishedSecrets(config: Pick<Config, "MOLVA_ENV" | "MOLVA_HOST">): boolean {
  return config.MOLVA_ENV === "demo" && isLoopbackHost(config.MOLVA_HOST);
}
