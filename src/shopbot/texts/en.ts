import { lasting } from "../../kernel/words/index.ts";
import type { BotTexts } from "./index.ts";

export const en: BotTexts = {
  fallback:
    "Thank you for your message! I am a bot and did not quite get that. What is your question about: delivery, payment, returns, warranty or contacts?",
  escalation: "I am passing your question to a colleague, who will read this conversation and answer here.",
  nobody:
    "I cannot bring a colleague into this chat.{% if phone %} Please call us: {{ phone }}{% if hours %}, {{ hours }}{% endif %}.{% endif %}{% if email %} Email: {{ email }}.{% endif %} Or try rephrasing your question: delivery, payment, returns, warranty, contacts.",
  unanswered:
    "Nobody has answered yet. My colleagues have your question, and I have reminded them; the answer will come here.{% if phone %} If it is urgent, call {{ phone }}{% if hours %}, {{ hours }}{% endif %}.{% endif %}",
  nobodyCame:
    "I am sorry, nobody has answered. You are back with the bot: write your question or ask for a person again.{% if phone %} You can also call {{ phone }}.{% endif %}",
  returned: "All right, you are back with the bot. Write whenever you have a question.",
  expired: "It has been a while since your last message, so let us start over.",
  staleButton: "This button no longer works",
  pressed: "One moment…",
  flood: "That is more than I can read at once. Please wait a little and write again.",
  backToBot: "Back to the bot",
  attachments: {
    image: "[photo]",
    video: "[video]",
    audio: "[voice]",
    file: "[file]",
    sticker: "[sticker]",
    contact: "[contact]",
    location: "[location]",
    share: "[link]",
    other: "[attachment]",
  },
  somebody: "Customer",
  bot: "Bot",
  operator: "Colleague",
  callsOperator: (who, chat) => `🙋 ${who} is waiting for a person (chat ${chat})`,
  stillWaits: (who, chat, seconds) =>
    `⏰ ${who} has been waiting for ${lasting(seconds, "en")} (chat ${chat})`,
  howToAnswer: "Reply to this message to answer the customer. The bot stays silent in that chat for now.",
  giveBack: "Return to the bot",
  givenBack: "The bot has taken the chat back.",
  notDelivered: (why) => `Your answer did not reach the customer: ${why}`,
  onlyText: "You can only send text to the customer: the attachment was not sent.",
};
