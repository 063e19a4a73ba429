import { type Html, html } from "../../shared/index.ts";
import type { Group, Photo, Post } from "../model.ts";
import type { Vk } from "../twin.ts";
import { nameOf } from "../views.ts";
import { coloursOf } from "./avatar.ts";
import { postDate } from "./date.ts";
import { photoGrid } from "./photo-grid.ts";
import { postText } from "./text.ts";

const kinds = { page: "Публичная страница", group: "Группа", event: "Мероприятие" } as const;
const closings = ["", "закрытая", "частная"];
const numbers = new Intl.NumberFormat("ru");
const plural = new Intl.PluralRules("ru");

/** A community's wall, newest first. */
export function groupPage(vk: Vk, group: Group): Html {
  const now = vk.context.clock.now();
  const posts = vk.store
    .wall(-group.id)
    .filter(({ publishAt }) => publishAt <= now)
    .sort((one, other) => other.publishAt - one.publishAt || other.id - one.id);
  const [from, to] = coloursOf(group.id);
  const closing = closings[group.is_closed] ?? "";
  return html`${topBar}<main><header class="card group"><div class="cover" style="background: linear-gradient(115deg, ${from}, ${to})"></div>
<div class="who"><img class="face" src="/vk/avatar/${group.id}" alt=""><div><h1>${group.name}</h1>
${group.description !== "" && html`<p>${group.description}</p>`}
<small>${kinds[group.type]}${closing !== "" && `, ${closing}`} · ${members(group.members_count)}</small></div>
<span class="join">Вы подписаны</span></div></header>
<div class="columns"><section class="posts"><div class="card tabs"><b>Все записи</b><span>${numbers.format(posts.length)}</span></div>
${posts.length === 0 && html`<div class="card empty">${group.wall === 0 ? "Стена выключена" : "На стене пока нет ни одной записи"}</div>`}
${posts.map((post) => postCard(vk, post))}</section>
<aside class="card"><h2>Подробная информация</h2>
<dl><dt>Адрес</dt><dd>vk.com/${group.screen_name}</dd><dt>Номер</dt><dd>${group.id}</dd>
<dt>Подписчики</dt><dd>${numbers.format(group.members_count)}</dd></dl></aside></div></main>`;
}

export function postPage(vk: Vk, post: Post): Html {
  const group = post.ownerId < 0 ? vk.store.group(-post.ownerId) : undefined;
  return html`${topBar}<main class="single">${postCard(vk, post)}
${group && html`<p><a href="/vk/wall/${group.screen_name}">Все записи «${group.name}»</a></p>`}</main>`;
}

function postCard(vk: Vk, post: Post): Html {
  const photos: Photo[] = post.attachments.flatMap((each) =>
    each.type === "photo" ? (vk.store.photo(each.ownerId, each.id) ?? []) : [],
  );
  const link = post.attachments.find((each) => each.type === "link");
  const now = vk.context.clock.now();
  return html`<article class="card post" id="post-${post.id}"><div class="by">
<img class="face" src="/vk/avatar/${Math.abs(post.fromId)}" alt=""><div><b>${nameOf(vk, post.fromId)}</b>
<small><a href="/vk/wall${post.ownerId}_${post.id}">${postDate(post.publishAt, now)}</a>${post.editedAt !== undefined && " · изменено"}${post.ads && " · Реклама"}</small></div></div>
${post.text !== "" && html`<p class="text">${postText(post.text)}</p>`}
${photos.length > 0 && photoGrid(photos)}
${link && linkCard(link.url, link.title, photos.length === 0)}
${post.signed && post.createdBy !== 0 && html`<p class="signer">Автор: ${nameOf(vk, post.createdBy)}</p>`}
${post.copyright !== undefined && html`<p class="signer">Источник: ${post.copyright}</p>`}
<footer><span>♡</span>${!post.closeComments && html`<span>Комментировать</span>`}<span>Поделиться</span></footer></article>`;
}

/** VK takes a picture from the linked page; here its host is shown instead. */
function linkCard(url: string, title: string | undefined, large: boolean): Html {
  const { host, pathname } = new URL(url);
  return html`<a class="link${large && " large"}" href="${url}" rel="noreferrer">${large && html`<span class="sky"></span>`}
<span class="about"><b>${title ?? decoded(pathname, host)}</b><small>${host}</small></span></a>`;
}

function decoded(pathname: string, host: string): string {
  const last = pathname.split("/").findLast((part) => part !== "");
  if (last === undefined) return host;
  try {
    return decodeURIComponent(last).replaceAll("-", " ");
  } catch {
    return last;
  }
}

function members(count: number): string {
  const forms: Record<string, string> = { one: "подписчик", few: "подписчика" };
  return `${numbers.format(count)} ${forms[plural.select(count)] ?? "подписчиков"}`;
}

const topBar = html`<nav><div><svg width="30" height="30" viewBox="0 0 56 56" aria-hidden="true"><rect width="56" height="56" rx="16" fill="#07f"/><path d="M30 39.4C17.7 39.4 10.7 31 10.4 17h6.2c.2 10.3 4.7 14.6 8.3 15.5V17h5.8v8.9c3.5-.4 7.2-4.4 8.5-8.9h5.8c-1 5.500-5 9.500-7.900 11.200 2.900 1.300 7.500 4.900 9.200 11.200h-6.400c-1.400-4.300-4.800-7.600-9.200-8.100v8.100z" fill="#fff"/></svg><b>ВКонтакте</b><small>двойник</small></div></nav>`;
