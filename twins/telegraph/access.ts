import { ApiError } from "./api-error.ts";
import type { Call, Deps } from "./call.ts";
import type { Account, Page } from "./model.ts";

/** The account of the call's token. */
export function accountOf({ params }: Call, { store }: Deps): Account {
  const token = params.text("access_token");
  const account = token ? store.accountByToken(token) : undefined;
  if (!account) throw new ApiError("ACCESS_TOKEN_INVALID");
  return account;
}

export function pageOf({ path, params }: Call, { store }: Deps): Page {
  const page = store.page(path ?? params.text("path") ?? "");
  if (!page) throw new ApiError("PAGE_NOT_FOUND");
  return page;
}
