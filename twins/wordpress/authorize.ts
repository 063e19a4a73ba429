import { randomBytes } from "node:crypto";
import type { Answer } from "../shared/index.ts";
import { parsedUrl } from "../shared/parsed-url.ts";
import { bare } from "./auth.ts";
import type { Site } from "./model.ts";
import { escapeHtml } from "./text/kses.ts";
import { document } from "./theme/document.ts";
import { homeOf, type WordPress } from "./twin.ts";

/**
 * The page on which a person gives a program access. The twin assumes that the visitor is the site's first user, signed
 * in.
 */
export function authorizePage(site: Site, query: URLSearchParams): Answer {
  const name = query.get("app_name");
  const [user] = site.users;
  if (!name || !user)
    return { status: 400, body: notice(site, "The Authorize Application request is not allowed.") };
  if (site.options.applicationPasswords !== "on")
    return { status: 501, body: notice(site, "Application passwords are not available.") };
  const fields = ["app_name", "app_id", "success_url", "reject_url"]
    .map((key) => `<input type="hidden" name="${key}" value="${escapeHtml(query.get(key) ?? "")}">`)
    .join("");
  const ru = site.options.locale === "ru_RU";
  const people = site.users
    .map(
      ({ login, name: shown }) =>
        `<option value="${escapeHtml(login)}">${escapeHtml(shown)} (${escapeHtml(login)})</option>`,
    )
    .join("");
  return {
    status: 200,
    body: document(site, {
      title: ru ? "Авторизация приложения" : "Authorize Application",
      content: `<article class="card"><h1>${ru ? "Авторизация приложения" : "Authorize Application"}</h1>
<p>${ru ? "Приложение" : "An application"} <strong>${escapeHtml(name)}</strong> ${
        ru
          ? `хочет получить доступ к вашей учётной записи на сайте «${escapeHtml(site.options.title)}».`
          : `would like access to your account on ${escapeHtml(site.options.title)}.`
      }</p>
<form method="post">${fields}<label>${ru ? "Учётная запись" : "Account"} <select name="user">${people}</select></label>
<p class="buttons"><button name="approve" value="1">${ru ? "Да, разрешить доступ" : "Yes, I approve of this connection"}</button>
<button name="reject" value="1" class="quiet">${ru ? "Нет, отказать" : "No, I do not approve of this connection"}</button></p></form></article>`,
    }),
  };
}

/** Where the browser is redirected; a page with the password if the program gave no address. */
export function decideAuthorization(
  wordpress: WordPress,
  site: Site,
  form: URLSearchParams,
): string | Answer {
  const success = form.get("success_url") ?? "";
  const home = homeOf(wordpress, site);
  if (form.get("approve") !== "1") {
    const back = form.get("reject_url") || (success && withQuery(success, { success: "false" }));
    return back && isAddress(back) ? back : `${home}/`;
  }
  const user = site.users.find(({ login }) => login === form.get("user")) ?? site.users[0];
  if (!user) return { status: 400, body: notice(site, "The Authorize Application request is not allowed.") };
  const password = newPassword();
  user.passwords.push(password);
  wordpress.store.changed();
  if (success && isAddress(success))
    return withQuery(success, { site_url: home, user_login: user.login, password });
  return { status: 200, body: notice(site, `Your new password: ${inGroups(password)}`) };
}

/** 24 letters and digits, as WordPress creates them. */
export function newPassword(): string {
  let password = "";
  while (password.length < 24) password += bare(randomBytes(24).toString("base64"));
  return password.slice(0, 24);
}

const inGroups = (password: string) => password.replace(/(.{4})(?=.)/g, "$1 ");

const isAddress = (text: string) => parsedUrl(text) !== undefined;

function withQuery(address: string, values: Record<string, string>): string {
  if (!isAddress(address)) return "";
  const url = new URL(address);
  for (const [key, value] of Object.entries(values)) url.searchParams.set(key, value);
  return url.href;
}

const notice = (site: Site, text: string) =>
  document(site, { title: text, content: `<article class="card"><p>${escapeHtml(text)}</p></article>` });
