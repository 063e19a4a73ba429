import type { Method } from "../call.ts";
import { createAccount, editAccountInfo, getAccountInfo, revokeAccessToken } from "./account.ts";
import { createPage, editPage, getPage, getPageList } from "./pages.ts";
import { getViews } from "./views.ts";

export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    createAccount,
    editAccountInfo,
    getAccountInfo,
    revokeAccessToken,
    createPage,
    editPage,
    getPage,
    getPageList,
    getViews,
  }),
);
