import { refusedAs, walk } from "../check-walk.ts";
import type { ChannelCheck, CheckContext, CheckFinding, CheckStep, SendError } from "../contract.ts";
import { siteRulesOf } from "./channel-settings.ts";
import type { WordPressSettings } from "./client.ts";
import { accountOf } from "./credential.ts";
import { type FoundSite, findSite, type Member, memberOf } from "./discover.ts";
import { notItsSite } from "./site.ts";

/** Findings by error code; problems of the account are checked in a separate step. */
const siteFindings: Readonly<Record<string, CheckFinding>> = {
  channel_unavailable: "chat_not_found",
  site_moved: "site_moved",
  rest_off: "rest_off",
  security_plugin: "security_plugin",
  site_in_maintenance: "site_in_maintenance",
};
const accountFindings: Readonly<Record<string, CheckFinding>> = {
  unauthorized: "token_refused",
  application_passwords_off: "passwords_off",
};

/** Checks whether the site exists and accepts the account, and what the account may do. */
export function check(context: CheckContext, settings: WordPressSettings): Promise<ChannelCheck> {
  const account = accountOf(context.credential);
  let site: FoundSite;
  let member: Member;

  return walk([
    async () => {
      const foreign = notItsSite(account, context.channel);
      if (foreign) return { step: "chat", finding: "site_of_another_credential", said: foreign.message };
      const found = await findSite(account, settings, context);
      if (!found.ok) return refused(found.error);
      site = found.found;
      return { step: "chat", finding: "ok", facts: { chat: site.name, address: site.home } };
    },
    async () => {
      const found = await memberOf(site);
      if (!found.ok) return refused(found.error);
      member = found.found;
      return { step: "token", finding: "ok", facts: { bot: member.name || account.login } };
    },
    async () => rightsOf(member, context),
  ]);
}

/** A refusal of the account, or of a firewall before the site, may come in any step. */
function refused(error: SendError): CheckStep {
  const ofAccount = accountFindings[error.code];
  if (ofAccount) return { step: "token", finding: ofAccount, said: error.message };
  const ofSite = siteFindings[error.code];
  if (ofSite) return { step: "chat", finding: ofSite, said: error.message };
  return refusedAs("chat", error, () => (error.category === "PERMANENT" ? "security_plugin" : undefined));
}

function rightsOf({ capabilities }: Member, { channel }: CheckContext): CheckStep {
  const rules = siteRulesOf(channel);
  const drafts = rules.ok && rules.site.status === "draft";
  if (!capabilities.has(drafts ? "edit_posts" : "publish_posts"))
    return { step: "rights", finding: "may_not_post" };
  if (channel.sendMode !== "text" && !capabilities.has("upload_files"))
    return { step: "rights", finding: "may_not_upload" };
  return { step: "rights", finding: "ok" };
}
