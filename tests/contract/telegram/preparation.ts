import type { Preparation } from "../preparation.ts";

const token = `1001:${"A".repeat(35)}`;
const id = -1001234567890;
const members = (member: object) => ({ members: [{ bot: "shop_bot", ...member }] });
const changed = (body: object) => ({ method: "PATCH", path: `/telegram/chats/${id}`, body });

export const preparation: Preparation = {
  credential: { token },
  wrongCredential: { token: "1:wrong-token" },
  targetId: String(id),
  absentTarget: "-1009999999999",
  bot: { token, username: "shop_bot", first_name: "Магазин" },
  chat: {
    id,
    type: "channel",
    title: "Новости магазина",
    username: "shop_news",
    members: [{ bot: "shop_bot", status: "administrator", can_post_messages: true }],
  },
  methods: {
    text: "sendMessage",
    photo: "sendPhoto",
    secondPart: "sendDocument",
    edit: "editMessageText",
    remove: "deleteMessage",
  },
  requestsOfSeries: 3,
  largestFiles: [
    { kind: "photo", bytes: 10 * 1024 * 1024 },
    { kind: "document", bytes: 50 * 1024 * 1024 },
  ],
  pictures: { largest: [9_400, 600], beyond: [9_401, 600] },
  troubles: [
    {
      name: "a token of nobody",
      credential: { token: `9:${"B".repeat(35)}` },
      step: "token",
      finding: "token_refused",
    },
    { name: "a chat that is not there", targetId: "-1009999999999", step: "chat", finding: "chat_not_found" },
    {
      name: "a bot that was thrown out",
      control: changed({ kick: "shop_bot" }),
      step: "member",
      finding: "not_a_member",
    },
    {
      name: "a bot that is no administrator",
      control: changed(members({ status: "member" })),
      step: "rights",
      finding: "not_administrator",
    },
    {
      name: "an administrator who may not post",
      control: changed(members({ status: "administrator", can_post_messages: false })),
      step: "rights",
      finding: "may_not_post",
    },
  ],
};
