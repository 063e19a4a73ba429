import { createLossLog } from "../../content/index.ts";
import type { Compiled, Outcome, SendContext } from "../contract.ts";
import { sendSeries } from "../send-series.ts";
import { codeIn } from "./classify.ts";
import type { WordPressSettings } from "./client.ts";
import { sendMedia } from "./send-media.ts";
import { sendText } from "./send-text.ts";
import { lineTo, type Site, type Sites } from "./site.ts";
import { toldBy } from "./write-page.ts";

export interface Desk {
  readonly settings: WordPressSettings;
  readonly sites: Sites;
}

/** Publishes on the account's site. */
export async function send(compiled: Compiled, context: SendContext, desk: Desk): Promise<Outcome> {
  return atSite(context, desk, async (site) => {
    const losses = createLossLog();
    const outcome = await sendSeries(compiled, context, (request, paced) => {
      const carry = request.media.length > 0 ? sendMedia : sendText;
      return carry(request, { site, line: lineTo(site, desk.settings, paced), context: paced, losses });
    });
    return outcome.kind === "sent" ? { ...outcome, ...toldBy(losses) } : outcome;
  });
}

/**
 * Runs the work at the site. If a firewall before WordPress refuses it, the site is discovered again, because that
 * gives a better error.
 */
export async function atSite(
  context: SendContext,
  { sites }: Desk,
  work: (site: Site) => Promise<Outcome>,
): Promise<Outcome> {
  const opened = await sites.open(context, context);
  if (!opened.ok) return { kind: "failed", error: opened.error };
  const outcome = await work(opened.found);
  if (outcome.kind !== "failed" || outcome.error.scope === "delivery") return outcome;
  sites.forget(context.credential);
  const { category, code } = outcome.error;
  const isToldByWordPress = codeIn(outcome.error) !== undefined && code !== "unauthorized";
  if (category !== "PERMANENT" || isToldByWordPress) return outcome;
  const now = await sites.open(context, context);
  return now.ok ? outcome : { kind: "failed", error: now.error };
}
