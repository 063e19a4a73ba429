import { type Oidc, signInSettings } from "../http/index.ts";
import { type Config, settingsOf } from "../kernel/config/index.ts";
import type { KeyValue } from "../kernel/kv/index.ts";
import { createGuardedClient } from "../kernel/outbound/index.ts";
import { networkOf } from "./network.ts";

/** The provider that operators sign in through, with a client of its own that also reaches an issuer inside the network. */
export async function oidcOf(config: Config, keyValue: KeyValue): Promise<Oidc | undefined> {
  const settings = settingsOf({ config }, signInSettings);
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (!issuer || !clientId || !clientSecret) return undefined;
  return {
    settings: {
      ...{ issuer, clientId, clientSecret },
      ...{ scopes: settings.OIDC_SCOPES, name: settings.OIDC_NAME },
      allowedDomains: settings.OIDC_ALLOWED_DOMAINS,
    },
    http: createGuardedClient({
      ...(await networkOf(config)),
      allowHosts: [...config.MOLVA_ALLOW_HOSTS, hostAndPort(new URL(issuer))],
    }),
    keyValue,
  };
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
