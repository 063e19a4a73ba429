import { accountOf, pageOf } from "../access.ts";
import { ApiError, floodWait } from "../api-error.ts";
import type { Call, Deps, Method } from "../call.ts";
import { contentOf } from "../content.ts";
import { authorOf, titleOf } from "../fields.ts";
import { limits } from "../limits.ts";
import type { Account, Page } from "../model.ts";
import { newPath } from "../path.ts";
import { placeOf } from "../view.ts";
import { wirePage } from "../wire.ts";

export const createPage: Method = (call, deps) => {
  const { context, store } = deps;
  const account = accountOf(call, deps);
  const title = titleOf(call.params);
  const author = authorOf(call.params);
  const content = contentOf(call.params, store.world.options);
  holdBackFlood(account, call, deps);
  const now = context.clock.now();
  const page: Page = {
    path: newPath(title, now, (path) => store.page(path) !== undefined),
    accountId: account.id,
    title,
    authorName: author.authorName ?? account.authorName,
    authorUrl: author.authorUrl ?? account.authorUrl,
    content,
    createdAt: now,
    changedAt: now,
    views: {},
  };
  store.world.pages.push(page);
  tell(account, deps);
  return { ...shown(page, account, call, deps), created: page.path };
};

/** Replaces the whole content; the path stays, even if the title changes. */
export const editPage: Method = (call, deps) => {
  const account = accountOf(call, deps);
  const page = pageOf(call, deps);
  if (page.accountId !== account.id) throw new ApiError("PAGE_ACCESS_DENIED");
  const title = titleOf(call.params);
  const author = authorOf(call.params);
  const content = contentOf(call.params, deps.store.world.options);
  Object.assign(page, { title, content, ...author, changedAt: deps.context.clock.now() });
  tell(account, deps);
  return shown(page, account, call, deps);
};

export const getPage: Method = (call, deps) => {
  const page = pageOf(call, deps);
  const asker = call.params.text("access_token") ? accountOf(call, deps) : undefined;
  return shown(page, asker, call, deps);
};

export const getPageList: Method = (call, deps) => {
  const account = accountOf(call, deps);
  const pages = deps.store.pagesOf(account);
  const offset = Math.max(0, call.params.whole("offset") ?? 0);
  const { least, usual, most } = limits.pageList;
  const limit = call.params.whole("limit") ?? usual;
  if (limit < least || limit > most) throw new ApiError("LIMIT_INVALID");
  return {
    result: {
      total_count: pages.length,
      pages: pages
        .slice(offset, offset + limit)
        .map((page) => wirePage(page, { content: false, asker: account }, deps.context)),
    },
  };
};

function shown(page: Page, asker: Account | undefined, { params }: Call, { context }: Deps) {
  return { result: wirePage(page, { content: params.yes("return_content"), asker }, context) };
}

function holdBackFlood({ id }: Account, { ip }: Call, { context, rates }: Deps): void {
  if (!context.options.rateLimits) return;
  const { pages: count, windowMs: perMs } = limits.flood;
  const wait = rates.take([
    { key: `account ${id}`, count, perMs },
    { key: `address ${ip}`, count, perMs },
  ]);
  if (wait !== undefined) throw floodWait(wait);
}

function tell(account: Account, { context, store }: Deps): void {
  store.changed();
  context.bus.publish({ type: "place", provider: "telegraph", place: placeOf(account, store) });
}
