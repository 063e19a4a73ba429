import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { readerPageHeaders } from "../shared/index.ts";
import type { Deps } from "./call.ts";
import { articleHtml } from "./html/article.ts";
import { listHtml } from "./html/list.ts";
import { messageHtml } from "./html/message.ts";
import type { Account } from "./model.ts";

/** What people see in a browser: pages, and for their owner the list of them. */
export function readerRoutes(app: FastifyInstance, deps: Deps): void {
  const { context, store } = deps;

  app.get("/telegraph/pages-of/:account", async (request, reply) => {
    const { account: id } = z.object({ account: z.string() }).parse(request.params);
    const account = store.account(Number(id));
    return account ? show(reply, listOf(account)) : show(reply, notFound, 404);
  });

  app.get("/telegraph/auth/:code", async (request, reply) => {
    const { code } = z.object({ code: z.string() }).parse(request.params);
    const account = store.world.accounts.find(({ authLinks }) =>
      authLinks.some((link) => link.code === code),
    );
    const link = account?.authLinks.find((each) => each.code === code);
    if (!account || !link || link.expiresAt <= context.clock.now()) return show(reply, expired, 403);
    account.authLinks = account.authLinks.filter((each) => each !== link);
    store.changed();
    return show(reply, listOf(account));
  });

  const listOf = (account: Account) => listHtml(account, store.pagesOf(account));
}

/** A page's path ends with its day, unlike any method's name. */
export const pathShape = /-\d\d-\d\d(?:-\d+)?$/;

/** Shows the page and counts the view. */
export function showPage(path: string, reply: FastifyReply, { context, store }: Deps): FastifyReply {
  const page = store.page(path);
  if (!page) return show(reply, notFound, 404);
  const hour = new Date(context.clock.now()).toISOString().slice(0, 13);
  page.views[hour] = (page.views[hour] ?? 0) + 1;
  store.changed();
  return show(reply, articleHtml(page));
}

const notFound = messageHtml("Not Found", "There is no page at this address.");
const expired = messageHtml("Link Expired", "A link that signs you in works once, within five minutes.");

function show(reply: FastifyReply, html: string, status = 200): FastifyReply {
  return reply.code(status).headers(readerPageHeaders).send(html);
}
