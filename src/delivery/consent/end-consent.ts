import { randomBytes } from "node:crypto";
import { cut } from "../../kernel/words/index.ts";
import type { AccountConsent, Credential, Place } from "../../platforms/index.ts";
import { setCredential } from "../admin/credentials/credentials.ts";
import { secretOf } from "../admin/credentials/given-secret.ts";
import { type ConsentDeps, redirectUriOf } from "./begin-consent.ts";
import { readState, writeState } from "./consent-state.ts";
import { type AskedConsent, createConsentStore } from "./consent-store.ts";
import { goodForMs } from "./times.ts";

/** How a visit ended. Only `connected` and `handed_over` store something. */
export type ConsentEnd =
  /** The link or state is not ours, or was opened in another browser. */
  | { readonly kind: "forged" }
  | { readonly kind: "expired" }
  | { readonly kind: "used" }
  | { readonly kind: "denied"; readonly retry: string }
  | { readonly kind: "failed"; readonly reason: string; readonly retry: string }
  | { readonly kind: "unavailable"; readonly reason: string; readonly retry: string }
  | { readonly kind: "not_configured"; readonly reason: string }
  | { readonly kind: "connected"; readonly authRef: string; readonly places: readonly Place[] }
  | { readonly kind: "handed_over"; readonly deepLink: string };

export interface Visit {
  readonly platform: string;
  readonly consent: AccountConsent;
}

export type ConsentStart =
  | { readonly kind: "redirect"; readonly url: string; readonly nonce: string }
  | ConsentEnd;

/** Redirects a person who opened our link to the provider's page. The link can be opened again until access was granted. */
export async function startVisit(
  deps: ConsentDeps,
  { platform, consent }: Visit,
  given: { readonly userId: string; readonly nonce: string },
): Promise<ConsentStart> {
  if (consent.missing) return { kind: "not_configured", reason: consent.missing };
  const { keyValue, vault, clock, publicUrl } = deps;
  const asked = await createConsentStore(keyValue, vault, platform).asked(given.nonce);
  if (!asked) return { kind: "expired" };
  if (asked.userId !== given.userId) return { kind: "forged" };
  const expiresAt = new Date(clock.now().getTime() + goodForMs);
  const visit = randomBytes(8).toString("hex");
  const state = writeState(vault, platform, { ...given, visit, expiresAt });
  const redirectUri = redirectUriOf(publicUrl, platform);
  return { kind: "redirect", url: consent.pageFor({ state, redirectUri }), nonce: given.nonce };
}

/** The parameters with which the provider sends a person back. */
export interface Answer {
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  /** Whether this browser has opened the link with this nonce. */
  hasBegun(nonce: string): boolean;
}

/** The first callback with a state uses it up, whatever the result. */
export async function endVisit(
  deps: ConsentDeps,
  { platform, consent }: Visit,
  answer: Answer,
): Promise<ConsentEnd> {
  const { keyValue, vault, clock, http, publicUrl } = deps;
  const store = createConsentStore(keyValue, vault, platform);
  const read = readState(vault, platform, answer.state, clock.now());
  if (read.kind !== "good") return { kind: read.kind };
  const { userId, nonce } = read.state;
  if (!answer.hasBegun(nonce)) return { kind: "forged" };
  if (!(await store.takeState(answer.state))) return { kind: "used" };
  const asked = await store.asked(nonce);
  if (!asked) return { kind: "used" };
  if (asked.userId !== userId) return { kind: "forged" };

  const query = new URLSearchParams({ user_id: userId, nonce });
  const retry = `${publicUrl}/api/auth/${platform}?${query}`;
  if (answer.error !== undefined && /denied/.test(answer.error)) return { kind: "denied", retry };
  if (!answer.code) return { kind: "failed", reason: cut(answer.error ?? "no code came back", 200), retry };
  const redirectUri = redirectUriOf(publicUrl, platform);
  const granted = await consent.exchange({ code: answer.code, redirectUri }, { http, clock });
  if (granted.kind === "failed") {
    const kind = granted.error.category === "TRANSIENT" ? "unavailable" : "failed";
    return { kind, reason: cut(granted.error.message, 200), retry };
  }
  // Two windows may have two states of one link: only one of them connects.
  if (!(await store.end(nonce))) return { kind: "used" };
  return stored(deps, platform, asked, granted.credential, nonce);
}

async function stored(
  deps: ConsentDeps,
  platform: string,
  { workspaceId, purpose }: AskedConsent,
  credential: Credential,
  nonce: string,
): Promise<ConsentEnd> {
  const { keyValue, vault, platforms, http, clock } = deps;
  if (purpose.kind === "product") {
    await createConsentStore(keyValue, vault, platform).keep(nonce, {
      workspaceId,
      owner: purpose.owner,
      credential,
    });
    const start = `${platform}_auth_${nonce}`;
    return {
      kind: "handed_over",
      deepLink: deps.twinsUrl
        ? `${deps.twinsUrl}/#return/telegram/${purpose.owner.user}/${start}`
        : `tg://resolve?domain=${encodeURIComponent(purpose.bot)}&start=${start}`,
    };
  }
  const { auth_ref, operator, reason } = purpose;
  const token = secretOf(platforms.definitionOf(platform), { fields: credential });
  const by = { operator, reason: reason ?? "connected in the browser" };
  // Channels that stopped because the old access was refused are resumed.
  await setCredential(deps, workspaceId, { platform, auth_ref }, { token }, by, { resume: true });
  const places = await platforms.platformOf(platform).places?.(credential, { http, clock });
  return {
    kind: "connected",
    authRef: auth_ref,
    places: places?.kind === "listed" ? places.places : [],
  };
}
