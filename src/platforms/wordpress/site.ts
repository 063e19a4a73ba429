import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { ChannelProfile, Credential, SendError } from "../contract.ts";
import { siteName, targetSite } from "./address.ts";
import { failure } from "./classify.ts";
import type { CallContext, Line, WordPressSettings } from "./client.ts";
import { type Account, accountOf } from "./credential.ts";
import { type Finding, type FoundSite, findSite, type Member, memberOf } from "./discover.ts";
import { siteKeptMs, sitesKept } from "./limits.ts";

/** A site that the account may use. */
export interface Site extends Omit<FoundSite, "line"> {
  readonly root: string;
  readonly authorization: string;
  readonly member: Member;
  /** Distinguishes the account's pictures from those of others. */
  readonly account: string;
}

export interface Sites {
  /** The channel's site, discovered now or within the last minutes. */
  open(asked: SiteAsked, context: CallContext): Promise<Finding<Site>>;
  /** Drops what was discovered. */
  forget(credential: Credential): void;
}

export interface SiteAsked {
  readonly credential: Credential;
  readonly channel: Pick<ChannelProfile, "targetId">;
}

/** Discovered sites are reused for a while: a page then takes one request instead of four. */
export function createSites(settings: WordPressSettings): Sites {
  const kept = new Map<string, { readonly site: Site; readonly until: number }>();
  return {
    async open({ credential, channel }, context) {
      const account = accountOf(credential);
      const foreign = notItsSite(account, channel);
      if (foreign) return { ok: false, error: foreign };
      const key = keyOf(account);
      const now = context.clock.now().getTime();
      const known = kept.get(key);
      if (known && known.until > now && known.until <= now + siteKeptMs)
        return { ok: true, found: known.site };
      const found = await openSite(account, settings, context);
      kept.delete(key);
      if (found.ok) kept.set(key, { site: found.found, until: now + siteKeptMs });
      for (const oldest of kept.keys()) {
        if (kept.size <= sitesKept) break;
        kept.delete(oldest);
      }
      return found;
    },
    forget: (credential) => void kept.delete(keyOf(accountOf(credential))),
  };
}

async function openSite(
  account: Account,
  settings: WordPressSettings,
  context: CallContext,
): Promise<Finding<Site>> {
  const found = await findSite(account, settings, context);
  if (!found.ok) return found;
  const member = await memberOf(found.found);
  if (!member.ok) return member;
  const { line, ...site } = found.found;
  const { root, authorization } = line;
  const name = sha256Hex(`${account.url}\n${account.login.toLowerCase()}`).slice(0, 16);
  return {
    ok: true,
    found: { ...site, root, authorization, member: member.found, account: `wordpress:${name}` },
  };
}

export const lineTo = (
  { root, authorization }: Site,
  settings: WordPressSettings,
  context: CallContext,
): Line => ({ root, authorization, settings, context });

const keyOf = ({ url, login, password }: Account): string => sha256Hex(`${url}\n${login}\n${password}`);

/** A password is sent only to the site that its owner named with it, whatever the channel's target is. */
export function notItsSite(
  account: Account,
  { targetId }: Pick<ChannelProfile, "targetId">,
): SendError | undefined {
  const own = siteName(account.url);
  const asked = targetSite(targetId);
  return asked === own
    ? undefined
    : failure(
        "channel_unavailable",
        `the channel's site is ${asked ?? targetId}, and its credential is for ${own}`,
      );
}
