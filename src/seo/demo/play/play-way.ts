import { randomInt } from "node:crypto";
import {
  type Audience,
  callTwins,
  demo,
  type PlayReport,
  playCriteria,
  type StageDeps,
} from "../../../delivery/index.ts";
import { seedSeoBot } from "../seed-seo-bot.ts";
import { aNewcomer } from "./newcomer.ts";
import { way } from "./way.ts";

/** Writing an article takes a while on a busy machine. */
const checkWithinMs = 90_000;

/** Plays the newcomer's way at the twins, with a person, a site and a channel of its own. */
export async function playWay(
  deps: StageDeps,
  audience: Audience,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PlayReport> {
  const { sql, clock, vault, twinsUrl } = deps;
  await sql`
    insert into workspaces.workspaces (workspace_id, name) values (${demo.workspaceId}, 'Демо') on conflict do nothing`;
  await seedSeoBot({ sql, clock, vault, twinsUrl });
  const id = randomInt(600_000_000, 699_999_999);
  const site = { name: `tea-${id}`, login: "shop", password: "molvaDEMO1234teaSHOP5678" };
  const owner = { login: site.login, name: "Лавка", role: "administrator", passwords: [site.password] };
  await callTwins(twinsUrl, "POST", "/_control/wordpress/sites", {
    ...{ name: site.name, title: "Чайная лавка", locale: "ru_RU", users: [owner] },
  });
  const channel = { chat: -1_004_000_000_000 - id, name: `tea_${id}`, token: `9${id}:${"C".repeat(35)}` };
  const bot = `tea_${id}_bot`;
  await callTwins(twinsUrl, "POST", "/_control/telegram/bots", {
    ...{ token: channel.token, username: bot, first_name: "Лавка" },
  });
  await callTwins(twinsUrl, "POST", "/_control/telegram/chats", {
    ...{ id: channel.chat, type: "channel", title: "Чай", username: channel.name },
    members: [{ bot, status: "administrator", can_post_messages: true }],
  });
  const newcomer = await aNewcomer(twinsUrl, sql, id);
  return playCriteria(way, { sql, twinsUrl, newcomer, site, channel }, audience, {
    ...options,
    withinMs: checkWithinMs,
    eachNeedsTheLast: true,
  });
}
