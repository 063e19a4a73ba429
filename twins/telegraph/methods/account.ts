import { randomBytes } from "node:crypto";
import { accountOf } from "../access.ts";
import { ApiError } from "../api-error.ts";
import type { Deps, Method } from "../call.ts";
import { authorOf, shortNameOf } from "../fields.ts";
import { limits } from "../limits.ts";
import type { Account } from "../model.ts";

export const createAccount: Method = ({ params }, deps) => {
  const shortName = shortNameOf(params);
  const { authorName = "", authorUrl = "" } = authorOf(params);
  const account: Account = {
    ...{ id: deps.store.newId(), token: newToken(), shortName, authorName, authorUrl, authLinks: [] },
  };
  deps.store.world.accounts.push(account);
  deps.store.changed();
  return { result: { ...named(account), access_token: account.token, auth_url: newAuthUrl(account, deps) } };
};

export const editAccountInfo: Method = (call, deps) => {
  const account = accountOf(call, deps);
  const { params } = call;
  const change = {
    ...(params.text("short_name") !== undefined && { shortName: shortNameOf(params) }),
    ...authorOf(params),
  };
  Object.assign(account, change);
  deps.store.changed();
  return { result: named(account) };
};

const usualFields = ["short_name", "author_name", "author_url"];

export const getAccountInfo: Method = (call, deps) => {
  const account = accountOf(call, deps);
  const given = call.params.json("fields");
  if (given && !Array.isArray(given.value)) throw new ApiError("FIELDS_FORMAT_INVALID");
  const fields: unknown[] = given && Array.isArray(given.value) ? given.value : usualFields;
  const known: Readonly<Record<string, () => unknown>> = {
    short_name: () => account.shortName,
    author_name: () => account.authorName,
    author_url: () => account.authorUrl,
    auth_url: () => newAuthUrl(account, deps),
    page_count: () => deps.store.pagesOf(account).length,
  };
  const asked = Object.entries(known).filter(([name]) => fields.includes(name));
  return { result: Object.fromEntries(asked.map(([name, read]) => [name, read()])) };
};

export const revokeAccessToken: Method = (call, deps) => {
  const account = accountOf(call, deps);
  account.token = newToken();
  account.authLinks = [];
  deps.store.changed();
  return { result: { access_token: account.token, auth_url: newAuthUrl(account, deps) } };
};

function named({ shortName, authorName, authorUrl }: Account) {
  return { short_name: shortName, author_name: authorName, author_url: authorUrl };
}

function newToken(): string {
  return randomBytes(30).toString("hex");
}

/** A link that signs a browser in: once, within five minutes. */
function newAuthUrl(account: Account, { context, store }: Deps): string {
  const now = context.clock.now();
  const code = randomBytes(24).toString("base64url");
  account.authLinks = account.authLinks.filter(({ expiresAt }) => expiresAt > now);
  account.authLinks.push({ code, expiresAt: now + limits.authUrlMs });
  store.changed();
  return `${context.options.baseUrl}/telegraph/auth/${code}`;
}
