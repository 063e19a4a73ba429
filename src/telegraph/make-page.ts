import { z } from "zod";
import { type AccountDeps, newAccount, type OwnAccount, ownAccount } from "./account.ts";
import { call, type Patience, type Reply, twice } from "./call.ts";
import { limits } from "./limits.ts";
import type { Failure } from "./result.ts";

export interface PageAddress {
  readonly url: string;
  readonly path: string;
}

export type Made =
  | { readonly kind: "ok"; readonly result: PageAddress }
  | { readonly kind: "failed"; readonly failure: Failure };

/** The fields of a page, as Telegraph names them. */
export interface PageFields {
  readonly title: string;
  readonly author_name: string;
  readonly author_url: string;
  readonly content: readonly unknown[];
}

export const pageShape = z.object({ url: z.string(), path: z.string(), title: z.string() });
const listShape = z.object({ pages: z.array(pageShape) });

/**
 * Creates one page, never two, although createPage has no idempotency key. The pages of this title are listed before the call;
 * if its outcome is unknown, a new page of this title is taken as ours. Only if there is none, the call is repeated, once.
 */
export async function makePage(deps: AccountDeps, page: PageFields, patience: Patience): Promise<Made> {
  const account = await ownAccount(deps, patience);
  if (account.kind !== "ok") return settled(account);
  const made = await makeWith(account.result, deps, page, patience);
  if (made.kind !== "failed" || !isTokenRefused(made.failure)) return made;
  // The token was revoked. Its pages are lost to us; new ones need a new account.
  const fresh = await newAccount(deps, patience, account.result.token);
  return fresh.kind === "ok" ? makeWith(fresh.result, deps, page, patience) : settled(fresh);
}

async function makeWith(
  { token, isNew }: OwnAccount,
  deps: AccountDeps,
  page: PageFields,
  patience: Patience,
): Promise<Made> {
  const ofThisTitle = async () => {
    const params = { access_token: token, limit: limits.lookBack };
    const list = await twice(() => call(deps, "getPageList", params, listShape, patience));
    if (list.kind !== "ok") return list;
    return { kind: "ok" as const, result: list.result.pages.filter(({ title }) => title === page.title) };
  };
  const before = isNew ? { kind: "ok" as const, result: [] } : await ofThisTitle();
  if (before.kind !== "ok") return settled(before);
  const known = new Set(before.result.map(({ path }) => path));

  let trouble = "";
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const made = await call(deps, "createPage", { access_token: token, ...page }, pageShape, patience);
    if (made.kind !== "trouble") return made;
    trouble = made.detail;
    if (!made.mayBeDone) continue;
    const now = await ofThisTitle();
    if (now.kind !== "ok") return { kind: "failed", failure: { code: "uncertain", detail: trouble } };
    const [found] = now.result.filter(({ path }) => !known.has(path));
    if (found) return { kind: "ok", result: found };
  }
  return { kind: "failed", failure: { code: "unreachable", detail: trouble } };
}

/** A temporary failure that lasted is a failure. */
export function settled<T>(reply: Exclude<Reply<T>, { kind: "ok" }>): Extract<Made, { kind: "failed" }> {
  if (reply.kind === "failed") return reply;
  return { kind: "failed", failure: { code: "unreachable", detail: reply.detail } };
}

function isTokenRefused(failure: Failure): boolean {
  return failure.code === "refused" && failure.providerCode === "ACCESS_TOKEN_INVALID";
}
