/** The referral programme. The bot's own name comes from Telegram, which is asked once a day. */
import { z } from "zod";
import { readSettings } from "../../../billing/index.ts";
import { knownBotName } from "../../people/bot-name.ts";
import { inactivity } from "../limits.ts";
import { action, flow, inStep, screen, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";

export const openReferral = action("profile:referral", {
  to: ["profile:referral:link", "flow:ReferralLink"],
  async act(_, visit) {
    const known = await knownBotName(inStep(visit).sql, visit.workspaceId, visit.now);
    return { to: known === undefined ? "flow:ReferralLink" : "profile:referral:link" };
  },
});

export const referralLink = flow({
  name: "ReferralLink",
  title: both((t) => t.money.referral.flow),
  data: z.object({}),
  empty: {},
  first: "looking",
  rivals: "yield",
  inactivity,
  states: {
    looking: {
      ask: both((t) => t.money.referral.looking),
      to: ["screen:profile:referral:link", "screen:profile"],
      async work({ services, workspaceId, language }) {
        const name = await services.selling.botName(workspaceId);
        return name === undefined
          ? { to: "screen:profile", notice: texts[language].money.referral.failed }
          : { to: "screen:profile:referral:link" };
      },
      failed: { to: "screen:profile", text: both((t) => t.money.referral.failed) },
    },
  },
});

export const referral = screen("profile:referral:link", {
  to: ["profile", "dashboard"],
  async show(_, visit) {
    const { money, common } = texts[visit.language];
    const say = money.referral;
    const { sql } = inStep(visit);
    const { workspaceId, userId } = whoseOf(visit);
    const [bot] = await sql<{ username: string }[]>`
      select username from seo.bots where workspace_id = ${workspaceId}`;
    if (!bot) return undefined;
    const [figures] = await sql<[{ invited: number; earned: number }]>`
      select (select count(*) from seo.users u where u.workspace_id = ${workspaceId} and u.referrer_id = ${userId})::int as invited,
        (select coalesce(sum(e.amount), 0) from billing.token_expenses e
         where e.workspace_id = ${workspaceId} and e.user_id = ${userId} and e.operation_type = 'referral_bonus')::int as earned`;
    const { referral_percent: percent } = await readSettings(sql, workspaceId);
    const url = `https://t.me/${bot.username}?start=ref_${userId}`;
    const share = `https://t.me/share/url?url=${encodeURIComponent(url)}&text=${encodeURIComponent(say.shareText)}`;
    return {
      text: [
        say.title,
        "",
        say.rule(percent),
        say.link(url),
        "",
        say.invited(figures.invited),
        say.earned(figures.earned),
        "",
        say.next,
      ].join("\n"),
      buttons: [
        [
          { label: say.share, url: share },
          { label: say.copy, copy: url },
        ],
        [
          { label: common.toProfile, to: "profile" },
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };
  },
});
