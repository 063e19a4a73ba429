import type { FastifyInstance } from "fastify";
import { html, sendPage } from "../../shared/index.ts";
import { captchaPicture } from "../captcha-picture.ts";
import type { Vk } from "../twin.ts";
import { avatar } from "./avatar.ts";
import { style } from "./style.ts";
import { groupPage, postPage } from "./wall-page.ts";

/** What a reader sees in a browser: walls and single posts, below `/vk`, which replaces vk.com. */
export async function pageRoutes(app: FastifyInstance, vk: Vk): Promise<void> {
  const { store } = vk;

  app.get<{ Params: { group: string } }>("/vk/wall/:group", async (request, reply) => {
    const group = store.groupNamed(request.params.group);
    if (!group) return sendPage(reply, missing("Такого сообщества нет"));
    return sendPage(reply, { title: group.name, style, body: groupPage(vk, group) });
  });

  /** The address of a post as VK gives it: `wall-1_731`. */
  app.get<{ Params: { post: string } }>("/vk/wall:post", async (request, reply) => {
    const [, owner, id] = /^(-?\d{1,15})_(\d{1,15})$/.exec(request.params.post) ?? [];
    const post = store.post(Number(owner), Number(id));
    const visible = post && !post.deleted && post.publishAt <= vk.context.clock.now();
    if (!visible) return sendPage(reply, missing("Запись удалена или ещё не опубликована"));
    return sendPage(reply, { title: "Запись на стене", style, body: postPage(vk, post) });
  });

  app.get<{ Params: { id: string } }>("/vk/avatar/:id", async (request, reply) => {
    const group = store.group(Number.parseInt(request.params.id, 10));
    return reply
      .code(group ? 200 : 404)
      .headers({
        "content-type": "image/svg+xml",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      })
      .send(avatar(group?.name ?? "?", group?.id ?? 0).html);
  });

  app.get<{ Querystring: { sid?: string } }>("/vk/captcha.php", async (request, reply) => {
    const captcha = store.world.captchas.find(({ sid }) => sid === request.query.sid);
    if (!captcha) return reply.code(404).send({ error: "there is no such captcha" });
    return reply.type("image/png").header("cache-control", "no-store").send(captchaPicture(captcha.answer));
  });

  app.get("/vk/validation", async (_request, reply) =>
    sendPage(reply, {
      title: "Подтверждение",
      style,
      body: html`<main class="alone"><h1>Подтвердите, что это вы</h1><p>Войдите в VK и подтвердите вход по коду из сообщения.</p></main>`,
    }),
  );
}

function missing(words: string) {
  return { title: words, style, status: 404, body: html`<main class="alone"><h1>${words}</h1></main>` };
}
