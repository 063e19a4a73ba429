import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { AccountConsent, Credential, Platforms } from "../../platforms/index.ts";
import type { By } from "../../workspaces/index.ts";
import type { Owner } from "../addressed/index.ts";
import { type ConsentPurpose, createConsentStore } from "./consent-store.ts";
import { goodForMs } from "./times.ts";

export interface ConsentDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly keyValue: KeyValue;
  readonly platforms: Platforms;
  readonly http: HttpClient;
  /** The public address of this server; providers have its callback path on record. */
  readonly publicUrl: string;
  /** The address of the twins, if they replace Telegram: their page is the app to which people return. */
  readonly twinsUrl?: string | undefined;
}

/** A link that a person opens to give access, and the nonce with which the result is fetched. */
export interface ConsentLink {
  readonly url: string;
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** A link by which an operator connects an account: it is stored as the credential of this name. */
export function beginCredentialConsent(
  deps: ConsentDeps,
  workspaceId: string,
  key: { readonly platform: string; readonly auth_ref: string },
  { operator, reason }: By,
): Promise<ConsentLink> {
  const purpose = { kind: "credential", auth_ref: key.auth_ref, operator, reason } as const;
  return begin(deps, key.platform, { workspaceId, userId: operator, purpose });
}

/**
 * A link for a product's user. After consent the person is sent back to the bot with `/start <platform>_auth_<nonce>`, and the
 * product fetches the account with `consentGiven`.
 */
export function beginProductConsent(
  deps: ConsentDeps,
  workspaceId: string,
  { platform, owner, bot }: { readonly platform: string; readonly owner: Owner; readonly bot: string },
): Promise<ConsentLink> {
  const purpose = { kind: "product", owner, bot } as const;
  return begin(deps, platform, { workspaceId, userId: owner.user, purpose });
}

/** What the user granted, for half an hour; the grant of another user is not found. It stays until `forgetConsent`. */
export async function consentGiven(
  { keyValue, vault }: Pick<ConsentDeps, "keyValue" | "vault">,
  workspaceId: string,
  { platform, owner, nonce }: { readonly platform: string; readonly owner: Owner; readonly nonce: string },
): Promise<Credential | undefined> {
  const given = await createConsentStore(keyValue, vault, platform).kept(nonce);
  const isOwn =
    given?.workspaceId === workspaceId &&
    given.owner.product === owner.product &&
    given.owner.user === owner.user;
  return isOwn ? given.credential : undefined;
}

/** Deletes what the user granted: by now it is stored as a credential, or the user has left. */
export async function forgetConsent(
  { keyValue, vault }: Pick<ConsentDeps, "keyValue" | "vault">,
  { platform, nonce }: { readonly platform: string; readonly nonce: string },
): Promise<void> {
  await createConsentStore(keyValue, vault, platform).forget(nonce);
}

async function begin(
  { keyValue, vault, platforms, clock, publicUrl }: ConsentDeps,
  platform: string,
  asked: { readonly workspaceId: string; readonly userId: string; readonly purpose: ConsentPurpose },
): Promise<ConsentLink> {
  const { consent } = platforms.platformOf(platform);
  if (!consent)
    throw problem("unprocessable", {
      detail: `Access to ${platform} is not given in the browser: store its credential instead.`,
    });
  const { missing } = consent;
  if (missing) throw problem("unprocessable", { detail: missing });
  const nonce = await createConsentStore(keyValue, vault, platform).ask(asked);
  const query = new URLSearchParams({ user_id: asked.userId, nonce });
  return {
    url: `${publicUrl}${consentPath(platform)}?${query}`,
    nonce,
    expiresAt: new Date(clock.now().getTime() + goodForMs),
  };
}

export const consentPath = (platform: string): string => `/api/auth/${platform}`;

/** Must be exactly the address that the provider's app has on record. */
export const redirectUriOf = (publicUrl: string, platform: string): string =>
  `${publicUrl}${consentPath(platform)}/callback`;

/** The platforms to which access is granted in the browser. */
export function consentingPlatforms({
  all,
}: Platforms): { readonly name: string; readonly consent: AccountConsent }[] {
  return all.flatMap(({ name, consent }) => (consent ? [{ name, consent }] : []));
}
