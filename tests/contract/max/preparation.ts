import type { Preparation } from "../preparation.ts";

const chatId = -70001;
const changed = (body: object) => ({ method: "PATCH", path: `/max/chats/${chatId}`, body });

export const preparation: Preparation = {
  credential: { token: "max-bot-token" },
  wrongCredential: { token: "1:wrong-token" },
  targetId: String(chatId),
  absentTarget: "-1009999999999",
  bot: { token: "max-bot-token", username: "shop_bot", first_name: "Магазин" },
  chat: {
    chat_id: chatId,
    type: "channel",
    title: "Новости",
    link: "shop",
    members: [{ bot: "shop_bot", is_admin: true }],
  },
  options: { path: "/max/options", body: { not_ready_sends: 0 } },
  methods: {
    text: "POST /messages",
    photo: "POST /messages",
    secondPart: "POST /messages",
    edit: "PUT /messages",
    remove: "DELETE /messages",
  },
  // Each of the three is uploaded before it is sent.
  requestsOfSeries: 6,
  largestFiles: [{ kind: "photo", bytes: 50 * 1024 * 1024 }],
  pictures: { largest: [7_680, 600], beyond: [7_681, 600] },
  troubles: [
    {
      name: "a token of nobody",
      credential: { token: "max-token-of-nobody" },
      step: "token",
      finding: "token_refused",
    },
    { name: "a chat that is not there", targetId: "-79999", step: "chat", finding: "chat_not_found" },
    {
      name: "a bot that was thrown out",
      control: changed({ remove_bots: ["shop_bot"] }),
      step: "chat",
      finding: "not_a_member",
    },
    {
      name: "a bot that is no administrator",
      control: changed({ members: [{ bot: "shop_bot", is_admin: false }] }),
      step: "rights",
      finding: "not_administrator",
    },
    {
      name: "an administrator who may not post",
      control: changed({ members: [{ bot: "shop_bot", is_admin: true, permissions: ["pin_message"] }] }),
      step: "rights",
      finding: "may_not_post",
    },
  ],
};
