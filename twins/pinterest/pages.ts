import type { FastifyInstance } from "fastify";
import { type Html, html, linkedText, sendPage } from "../shared/index.ts";
import type { Board, Pin } from "./model.ts";
import { logo } from "./oauth.ts";
import type { Pinterest } from "./twin.ts";
import { slugOf } from "./views.ts";

/** What a visitor sees: a board's Pins, and a Pin's own page. Secret boards are not shown. */
export async function pageRoutes(app: FastifyInstance, pinterest: Pinterest): Promise<void> {
  const { store } = pinterest;
  app.get<{ Params: { user: string; board: string } }>("/pinterest/:user/:board/", async (request, reply) => {
    const { user, board: slug } = request.params;
    const owner = store.world.accounts.find(({ username }) => username === user);
    const board = store.world.boards.find(
      (each) =>
        each.accountId === owner?.id &&
        each.privacy !== "SECRET" &&
        (slugOf(each) === slug || each.id === slug),
    );
    if (!board) return sendPage(reply, missing);
    return sendPage(reply, { title: board.name, style, body: boardPage(pinterest, board, user) });
  });
  app.get<{ Params: { id: string } }>("/pinterest/pin/:id/", async (request, reply) => {
    const pin = store.pin(request.params.id);
    const board = pin && store.board(pin.boardId);
    if (!pin || !board || board.privacy === "SECRET") return sendPage(reply, missing);
    return sendPage(reply, { title: pin.title ?? "Пин", style, body: pinPage(pinterest, pin, board) });
  });
}

const topBar = html`<nav>${logo}<b>Pinterest</b><small>двойник</small></nav>`;

function boardPage({ store }: Pinterest, board: Board, user: string): Html {
  const pins = store.pinsOf(board.id);
  return html`${topBar}<header><h1>${board.name}</h1>${board.description !== null && html`<p>${board.description}</p>`}
<small>@${user} · пинов: ${pins.length}</small></header>
${pins.length === 0 && html`<p class="empty">На доске пока ничего нет</p>`}
<main class="wall">${pins.map(
    (
      pin,
    ) => html`<a class="pin" href="/pinterest/pin/${pin.id}/"><img src="${pin.blob.path}" alt="${pin.altText ?? pin.title ?? ""}" style="aspect-ratio: ${pin.width} / ${pin.height}; background: ${pin.colour ?? "#eee"}">
${pin.title !== null && html`<b>${pin.title}</b>`}${pin.link !== null && html`<small>${new URL(pin.link).host}</small>`}</a>`,
  )}</main>`;
}

function pinPage({ store }: Pinterest, pin: Pin, board: Board): Html {
  const user = store.account(pin.accountId)?.username ?? "";
  return html`${topBar}<article><img src="${pin.blob.path}" alt="${pin.altText ?? pin.title ?? ""}"><div>
<a class="save" href="/pinterest/${user}/${slugOf(board)}/">${board.name}</a>
${pin.link !== null && html`<a class="source" href="${pin.link}" rel="noreferrer">${new URL(pin.link).host}</a>`}
${pin.title !== null && html`<h1>${pin.title}</h1>`}
${pin.description !== null && html`<p>${linkedText(pin.description)}</p>`}<small>@${user}</small></div></article>`;
}

const style = `
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #111; font: 16px/1.45 system-ui, "Noto Sans", sans-serif; }
nav { display: flex; align-items: center; gap: 10px; padding: 12px 24px; font-size: 18px; }
nav svg { width: 34px; height: 34px; }
nav b { color: #e60023; }
small { color: #5f5f5f; font-size: 14px; }
nav small { background: #f1f1f1; border-radius: 12px; padding: 1px 10px; }
header, .empty, .alone { text-align: center; padding: 16px 24px 28px; }
h1 { font-size: 34px; line-height: 1.2; margin: 0 0 8px; text-wrap: balance; overflow-wrap: anywhere; }
header p { margin: 0 auto 8px; max-width: 40em; }
.wall { columns: 236px; column-gap: 16px; max-width: 1320px; margin: 0 auto; padding: 0 24px 48px; }
.pin { display: block; break-inside: avoid; margin: 0 0 20px; color: inherit; text-decoration: none; }
.pin img { width: 100%; display: block; border-radius: 16px; object-fit: cover; max-height: 560px; }
.pin:hover img { filter: brightness(.92); }
.pin b { display: block; padding: 8px 6px 0; font-weight: 600; font-size: 15px; line-height: 1.3; overflow-wrap: anywhere; }
.pin small { padding: 0 6px; }
article { display: grid; grid-template-columns: 1fr 1fr; max-width: 1016px; margin: 16px auto 48px; border-radius: 32px; overflow: hidden;
  box-shadow: 0 1px 20px rgb(0 0 0 / 12%); }
article img { width: 100%; height: 100%; object-fit: cover; display: block; background: #eee; }
article > div { padding: 32px; }
article p { white-space: pre-wrap; overflow-wrap: anywhere; }
.save { float: right; background: #e60023; color: #fff; border-radius: 24px; padding: 10px 18px; font-weight: 600; text-decoration: none; }
.source { color: #111; display: block; margin: 10px 0 48px; }
@media (max-width: 760px) { article { grid-template-columns: 1fr; border-radius: 0; margin: 0; } .wall { columns: 2; padding: 0 8px; column-gap: 8px; } }
`;

const missing = {
  title: "Не найдено",
  style,
  status: 404,
  body: html`${topBar}<main class="alone"><h1>Здесь ничего нет</h1></main>`,
};
