import type { BotTexts } from "./index.ts";

export const en: BotTexts = {
  fallback:
    "Thank you for writing! I am a helper bot and do not understand everything at once. What is your question about: delivery, payment, returns, warranty or contacts?",
  escalation: "I am passing your question to a colleague, who will read this conversation and answer here.",
  nobody:
    "I cannot call a colleague into this chat.{% if phone %} Please call us: {{ phone }}{% if hours %}, {{ hours }}{% endif %}.{% endif %}{% if email %} Mail: {{ email }}.{% endif %} Or put your question in other words: delivery, payment, returns, warranty, contacts.",
  unanswered:
    "Nobody has answered yet. My colleagues have your question and I have reminded them; the answer comes here.{% if phone %} If it is urgent, call {{ phone }}{% if hours %}, {{ hours }}{% endif %}.{% endif %}",
  nobodyCame:
    "I am sorry, no colleague has answered. The bot is with you again: write your question or ask for a person once more.{% if phone %} You can also call {{ phone }}.{% endif %}",
  returned: "All right, the bot is with you again. Write whenever you have a question.",
  expired: "It has been a while since your last message, so let us begin again.",
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
    location: "[place]",
    share: "[link]",
    other: "[attachment]",
  },
  somebody: "Customer",
  bot: "Bot",
  operator: "Colleague",
  callsOperator: (who, chat) => `🙋 ${who} is waiting for a person (chat ${chat})`,
  stillWaits: (who, chat, minutes) => `⏰ ${who} has been waiting for ${minutes} min (chat ${chat})`,
  howToAnswer:
    "Reply to this message and the text goes to the customer. The bot is silent in that chat for now.",
  giveBack: "Give back to the bot",
  givenBack: "The chat is the bot's again.",
  notDelivered: (why) => `The answer did not reach the customer: ${why}`,
  onlyText: "Only text can be sent to the customer: the attachment was not.",
};
