/** The provider, by `openid-client`: discovery, the address people are sent to, and the identity they come back with. */
import type { Configuration, CustomFetch } from "openid-client";
import { cached } from "../../kernel/cached/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { GuardedClient } from "../../kernel/outbound/index.ts";

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  /** The provider's name, for the button. */
  readonly name: string;
  /** If any, only people with an address in one of them come in. */
  readonly allowedDomains: readonly string[];
}

/** What the provider must return unchanged, or prove. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Only if the provider says that it has verified it. */
  readonly verifiedEmail: string | undefined;
}

export interface Provider {
  newChecks(): Promise<Checks>;
  /** Where the browser goes to sign in. */
  authorizationUrl(checks: Checks, redirectUri: string): Promise<string>;
  /** Exchanges the code of the address that the browser came back to. Throws if anything about the answer is not right. */
  identity(callback: URL, checks: Checks): Promise<Identity>;
}

/** Metadata change seldom; keys are read anew by the library when an unknown one appears. */
const metadataMs = 60 * 60 * 1000;
const limits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 } as const;

export function createProvider(settings: OidcSettings, http: GuardedClient, clock: Clock): Provider {
  // Loaded when somebody signs in this way.
  const library = () => import("openid-client");
  const configuration = cached(() => discover(settings, http), { forMs: metadataMs, clock });

  return {
    async newChecks() {
      const { randomState, randomNonce, randomPKCECodeVerifier } = await library();
      return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    },
    async authorizationUrl({ state, nonce, verifier }, redirectUri) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      const url = buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: redirectUri, scope: settings.scopes, state, nonce },
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return url.href;
    },
    async identity(callback, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await library();
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, callback, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      });
      const claims = tokens.claims();
      if (!claims) throw new Error("the provider sent no ID token");
      // Many providers put the address into the user info alone.
      const told =
        claims.email === undefined && config.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims;
      return { issuer: claims.iss, subject: claims.sub, verifiedEmail: verifiedEmailOf(told) };
    },
  };
}

/** A provider that does not say `email_verified: true` may let anybody type any address. */
export function verifiedEmailOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  return claims.email_verified === true && typeof claims.email === "string" ? claims.email : undefined;
}

async function discover(settings: OidcSettings, http: GuardedClient): Promise<Configuration> {
  const oidc = await import("openid-client");
  const options = { [oidc.customFetch]: fetchBy(http), timeout: limits.timeoutMs / 1000 };
  const isPlain = settings.issuer.startsWith("http:");
  const found = await oidc.discovery(new URL(settings.issuer), settings.clientId, undefined, undefined, {
    ...options,
    execute: isPlain ? [oidc.allowInsecureRequests] : [],
  });
  // Basic is what a provider takes that does not say (OpenID Connect Discovery 1.0, section 3).
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication = methods.includes("client_secret_basic")
    ? oidc.ClientSecretBasic
    : oidc.ClientSecretPost;
  const configuration = new oidc.Configuration(
    found.serverMetadata(),
    settings.clientId,
    undefined,
    authentication(settings.clientSecret),
  );
  Object.assign(configuration, options);
  if (isPlain) oidc.allowInsecureRequests(configuration);
  // The signature of the ID token is checked although it came over TLS: a proxy in between must not make identities.
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

const withoutBody = [204, 205, 304];

/** `fetch` for the library, over the guarded client: the issuer's own documents name the addresses it asks next. */
function fetchBy(http: GuardedClient): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await http.request({
      ...{ method: method === "POST" ? "POST" : "GET", url, headers, maxRedirects: 0, ...limits },
      ...(body != null && { body: await new Response(body).text() }),
      ...(signal && { signal }),
    });
    if (answer.kind === "failure") throw new Error(`the provider was not reached: ${answer.message}`);
    const content = withoutBody.includes(answer.status) ? null : Buffer.from(answer.body).toString("utf8");
    return new Response(content, { status: answer.status, headers: answer.headers });
  };
}
