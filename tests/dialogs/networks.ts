/** Places of a person's own in the twins: a site, a channel, a community, a board. */
import { twinApp } from "../../src/platforms/pinterest/index.ts";
import { demoBusiness } from "../../src/seo/demo/demo-business.ts";
import type { SeoBotHarness } from "../support/seo-bot.ts";

type Control = Pick<SeoBotHarness, "control">;

export async function site({ control }: Control, userId: number, number = 1) {
  const { login, appPassword } = demoBusiness.site;
  const name = number === 1 ? `shop-${userId}` : `shop-${userId}-${number}`;
  const owner = { login, name: "Лавка", role: "administrator", passwords: [appPassword] };
  await control("POST", "/wordpress/sites", {
    name,
    title: number === 1 ? "Лавка" : "Второй сайт",
    locale: "ru_RU",
    users: [owner],
  });
  return { login, appPassword, url: `https://${name}.wordpress.test` };
}

/** A channel with a bot that may post there, or is no administrator yet. */
export async function channel({ control }: Control, userId: number, { rights = true } = {}) {
  const token = `8${userId}:${"K".repeat(35)}`;
  const [username, target] = [`shop_${userId}_bot`, `tea_${userId}`];
  await control("POST", "/telegram/bots", { token, username, first_name: "Лавка" });
  const id = -1_003_000_000_000 - userId;
  await control("POST", "/telegram/chats", {
    id,
    type: "channel",
    title: "Чай",
    username: target,
    members: [],
  });
  const member = rights ? { status: "administrator", can_post_messages: true } : { status: "member" };
  await control("PATCH", `/telegram/chats/${id}`, { members: [{ bot: username, ...member }] });
  return { token, target: `@${target}` };
}

/** A community whose administrator's key is `vk1.a.shop-{человек}`. */
export async function community({ control }: Control, userId: number) {
  const token = `vk1.a.shop-${userId}`;
  await control("POST", "/vk/users", { id: userId, first_name: "Ирина", last_name: "Смирнова" });
  await control("POST", "/vk/groups", {
    ...{ id: userId, name: "Лавка чая", screen_name: `tea_${userId}`, members_count: 1240 },
    managers: [{ user_id: userId, role: "administrator" }],
  });
  await control("POST", "/vk/tokens", { token, kind: "user", user_id: userId });
  return { token, target: String(userId) };
}

export const pinterestAccount = (userId: number) => ({
  username: `tea${userId}`,
  access_token: `pina_${userId}`,
  refresh_token: `pinr_${userId}`,
});

/** An account with the boards «Осенний чай» and «Посуда». */
export async function board({ control }: Control, userId: number) {
  const { username, access_token, refresh_token } = pinterestAccount(userId);
  const scopes = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];
  await control("POST", "/pinterest/accounts", { username, business_name: "Лавка чая" });
  for (const [at, name] of ["Осенний чай", "Посуда"].entries())
    await control("POST", "/pinterest/boards", { id: `7${at}${userId}`, username, name });
  await control("POST", "/pinterest/tokens", {
    ...{ client_id: twinApp.id, username, scopes, access_token, refresh_token },
  });
  const later = { expires_at: "2100-01-01T00:00:00.000Z", refresh_expires_at: "2100-02-01T00:00:00.000Z" };
  return {
    fields: { access_token, refresh_token, ...later, scope: scopes.join(" ") },
    target: `70${userId}`,
  };
}
