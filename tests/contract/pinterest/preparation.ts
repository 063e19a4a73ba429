import { twinApp } from "../../../src/platforms/pinterest/index.ts";
import type { Preparation } from "../preparation.ts";

/** A shop with a board and a rival with another, each with tokens of their own. */
export const world = {
  board: "549755885175",
  rivalBoard: "549755885999",
  redirectUri: "http://127.0.0.1:8080/api/auth/pinterest/callback",
} as const;

const all = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];
const later = { expires_at: "2100-01-01T00:00:00.000Z", refresh_expires_at: "2100-02-01T00:00:00.000Z" };

export const credential = {
  access_token: "pina_shop-first",
  refresh_token: "pinr_shop-first",
  ...later,
  scope: all.join(" "),
};
const readOnly = {
  access_token: "pina_shop-read-only",
  refresh_token: "pinr_shop-read-only",
  ...later,
  scope: "boards:read pins:read user_accounts:read",
};
const pinsOnly = {
  access_token: "pina_shop-pins-only",
  refresh_token: "pinr_shop-pins-only",
  ...later,
  scope: "pins:read pins:write",
};

export const app = {
  client_id: twinApp.id,
  client_secret: twinApp.secret,
  name: "Молва",
  redirect_uris: [world.redirectUri],
};

const tokens = ({ access_token, refresh_token, scope }: typeof credential, username = "shop") => ({
  path: "/pinterest/tokens",
  body: { client_id: twinApp.id, username, scopes: scope.split(" "), access_token, refresh_token },
});
const account = (state: string) => ({
  method: "POST",
  path: "/pinterest/accounts",
  body: { username: "shop", state },
});

export const preparation: Preparation = {
  credential,
  wrongCredential: {
    ...credential,
    access_token: "pina_nobodys-token",
    refresh_token: "pinr_nobodys-token",
  },
  targetId: world.board,
  absentTarget: "999999",
  world: [
    { path: "/pinterest/apps", body: app },
    { path: "/pinterest/accounts", body: { username: "shop", business_name: "Лавка чая" } },
    { path: "/pinterest/accounts", body: { username: "rival" } },
    { path: "/pinterest/boards", body: { id: world.board, username: "shop", name: "Осенний чай" } },
    { path: "/pinterest/boards", body: { id: world.rivalBoard, username: "rival", name: "Кофе" } },
    tokens(credential),
    tokens(readOnly),
    tokens(pinsOnly),
  ],
  without: [
    "marks",
    "buttons",
    "album",
    "series",
    "silence",
    "replies",
    "split",
    "edit_marks",
    "references",
    "video",
    "animation",
    "audio",
    "document",
  ],
  serverErrors: "in_doubt",
  methods: {
    text: "POST /pins",
    photo: "POST /pins",
    edit: "PATCH /pins/{pin_id}",
    remove: "DELETE /pins/{pin_id}",
  },
  mayEdit: { path: "/pinterest/apps", body: { ...app, beta: true } },
  largestFiles: [{ kind: "photo", bytes: 20 * 1024 * 1024, size: [1000, 1500] }],
  pictures: { largest: [2_000, 3_000], beyond: [2_002, 3_003], cropped: [60, 90] },
  checked: {
    steps: ["token", "chat", "rights"],
    account: "shop",
    outage: { step: "token", finding: "unreachable" },
  },
  troubles: [
    {
      name: "a token of nobody",
      credential: { ...credential, access_token: "pina_nobodys-token" },
      step: "token",
      finding: "token_refused",
    },
    {
      name: "an account under review",
      control: account("under_review"),
      step: "token",
      finding: "account_restricted",
    },
    {
      name: "an account that Pinterest has stopped",
      control: account("disapproved"),
      step: "token",
      finding: "account_restricted",
    },
    {
      name: "an owner who let nothing be seen",
      credential: pinsOnly,
      step: "token",
      finding: "may_not_look",
    },
    { name: "a board that is not there", targetId: "999999", step: "chat", finding: "chat_not_found" },
    {
      name: "a link of a board that is not there",
      targetId: "@shop/nothing",
      step: "chat",
      finding: "chat_not_found",
    },
    {
      name: "a board of another account",
      targetId: world.rivalBoard,
      step: "chat",
      finding: "board_of_another",
    },
    {
      name: "an owner who allowed no Pins",
      credential: readOnly,
      step: "rights",
      finding: "may_not_post",
    },
  ],
};
