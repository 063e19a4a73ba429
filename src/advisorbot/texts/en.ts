import { cut, inTime } from "../../kernel/words/index.ts";
import { profileEn } from "./profile-en.ts";
import type { ru } from "./ru.ts";

const day = (until: string | null) =>
  until === null
    ? "its end"
    : new Date(until).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

const soon = (seconds: number | null, otherwise: string) =>
  seconds === null ? otherwise : inTime(seconds, "en");

export const en: typeof ru = {
  name: "Tail Advice",
  profile: profileEn,
  kinds: { dog: "🐶 Dog", cat: "🐱 Cat", other: "🐾 Another pet" },
  topics: {
    emergency: "🚑 Urgent: something is wrong",
    care: "🍲 Food and care",
    prevention: "💉 Vaccination and prevention",
  },
  commands: {
    menu: "Menu",
    ask: "Ask a question",
    pet: "My pet",
    history: "Earlier questions",
    me: "Plan and limits",
    pro: "Pro plan",
    delete: "Delete my data",
    help: "How it works",
  },
  toMenu: "🏠 Menu",
  again: "🔄 Try again",
  skip: "Skip",
  moment: "One moment…",
  failed: "That did not work.",

  menu: {
    title: "the menu",
    returned: "It has been a while, so here is the menu again.",
    ask: "Hello! I give advice about pets: what to do when something is wrong, what to feed them and how to look after them.\n\nWho is your question about? You can also just type it here.",
    pet: "📋 My pet",
    me: "👤 Plan and limits",
    about: "ℹ️ How it works",
  },
  about:
    "Tell me what happened, and I answer step by step: what to do now, what to watch for, when to see a vet.\n\nFree: a few questions a day with a short pause between them, text only. A conversation is remembered for an hour, then erased.\n\nPro: no daily limit, photos and voice messages, a card for your pet, memory of earlier questions, in-depth research.\n\nI do not diagnose or prescribe, and I am no substitute for a vet. If your pet is unwell, call a clinic. To delete everything I know about you: /delete.",
  pro: "Pro: no daily limit, photos and voice messages, a card for your pet, memory of earlier questions, and in-depth research.",
  getPro: (contact) =>
    contact
      ? `To get it: ${contact}`
      : "You cannot pay in the bot yet: Pro is switched on by whoever runs it.",
  openPro: "⭐️ Get Pro",
  proOffer: {
    flow: "the Pro plan",
    title: "Pro for 30 days",
    description: "No daily limit, photos and voice messages, a card for your pet, memory and research.",
    once: (stars) => `The invoice is above: ${stars} ⭐️ for 30 days. After paying, just go on here.`,
    both: (stars) =>
      `${stars} ⭐️ for 30 days. Once: it ends by itself. As a subscription: Telegram charges it every 30 days until you cancel.`,
    paid: (until) =>
      `Pro is on until ${day(until)}. Buying once adds 30 days to that; a subscription begins at once.`,
    buyOnce: (stars) => `⭐️ 30 days for ${stars}`,
    subscribe: (stars) => `🔁 Subscribe for ${stars} a month`,
    link: (stars) =>
      `The subscription costs ${stars} ⭐️ every 30 days. Tap the button to pay; you can cancel at any time.`,
    pay: (stars) => `Pay ${stars} ⭐️`,
    check: "I have paid",
    manage: "⭐️ My Pro",
    mine: (status, until, stars) =>
      ({
        none: "You have no subscription.",
        active: `Your Pro subscription is active. Next charge: ${day(until)}, ${stars} ⭐️.`,
        paused:
          "Your Pro subscription is paused: there were not enough Stars to renew it. It goes on when you top up your Stars in Telegram.",
        cancelled: `Your Pro subscription is cancelled and lasts until ${day(until)}.`,
      })[status],
    cancel: "Cancel subscription",
    resume: "Resume subscription",
    sure: (until) =>
      `Cancel the subscription? Pro stays until ${day(until)}, then it ends, and with it the pet's card and the memory of earlier questions.`,
    yes: "Yes, cancel",
    no: "Keep it",
    trouble: "Telegram did not do this right now. Nothing was changed; please try again in a minute.",
    refused: {
      not_sold: "Pro is not sold right now.",
      too_many_purchases: "Too many purchases. Please wait a few minutes.",
      provider_unheard: "Telegram is not answering right now. Please try again in a minute.",
    },
  },
  sold: {
    paid: (until) => `Thank you! Pro is on until ${day(until)}. You can go on.`,
    renewed: (until) => `Pro was renewed until ${day(until)}.`,
    refused: () =>
      "Your payment did not match the invoice, so Pro was not switched on. We know about it and will give the Stars back.",
    refunded: (until) =>
      until === null
        ? "Your payment was returned and Pro has ended."
        : `Your payment was returned. Pro stays until ${day(until)}.`,
    paused: () =>
      "Your Pro subscription is paused: there were not enough Stars to renew it. Top up your Stars in Telegram, or see /pro.",
    cancelled: (until) => `The subscription is cancelled. Pro stays until ${day(until)}.`,
    resumed: (until) => `The subscription goes on. Next charge: ${day(until)}.`,
    ended: () => "Your Pro subscription has ended. You can subscribe again: /pro.",
  },
  needsPro: {
    card: "Pet cards are part of Pro. You can ask without one: just write your question.",
    history:
      "Earlier questions are kept on Pro only: on Free a conversation is erased after an hour. To ask a new question, just write it.",
  },

  ask: {
    title: "a question",
    expired: "There were no messages for an hour, so I closed the conversation. You can start a new one.",
    consent:
      "Before we begin, two things.\n\n1. My answers come from a language model: I can be wrong, I do not diagnose, and I am no substitute for a vet.\n2. I pass your question to a language model. On Free it is kept during the conversation and for an hour after it; on Pro, until you delete it. You can delete everything at any time: /delete.\n\nDo you agree?",
    agree: "✅ I agree, continue",
    disagree: "No",
    disagreed: "All right. I cannot take questions without your consent, but you can come back at any time.",
    kind: "Who is your question about?",
    topic: "What do you need help with?",
    details:
      "Tell me about your pet in one message: breed, age, sex, living conditions.\n\nFor example: “Pomeranian, 5 years old, female, lives in a flat, two walks a day”.",
    waitsForConsent: "I have your question and will answer it as soon as you agree.",
    detailsTooLong: "That is too long. Please keep it under a thousand characters.",
    question: "Your question: what happened, when did it start, what have you done so far?",
    questionPro:
      "Your question: what happened, when did it start, what have you done so far? A photo or a voice message is fine too.",
    parked: (question) =>
      `I have your question:\n“${question}”\n\nOn Free I do not remember earlier conversations. Tell me in one message who it is about: what animal, breed, age. Or tap a button.`,
    asIs: "Just ask",
    uploading: "Got it, taking a look…",
    working: "Got your question, preparing the answer…",
    another: "New question",
    research: "🔬 Research",
    notes: {
      left: (left) =>
        left > 0
          ? `Questions left today: ${left}. To follow up, just write.`
          : "That was the last question for today; there will be more tomorrow. Pro has no daily limit.",
      pro: "Pro plan, unlimited questions. To follow up, just write.",
    },
    unsupported:
      "I cannot read this kind of message yet. Please write your question in words; on Pro you can also send a photo or a voice message.",
  },
  firstAid: ({ alarm, steps, clinics }) =>
    `❗️ **${alarm}**\n\nRight now:\n\n${steps.map((step) => `- ${step}`).join("\n")}\n\n[${clinics.label}](${clinics.url})`,
  answer: ({ answer_text, recommended_actions: steps, should_go_to_vet, safety_level, followup_question }) =>
    [
      answer_text,
      steps.length > 0 && `What to do:\n${steps.map((step) => `• ${step}`).join("\n")}`,
      should_go_to_vet &&
        (safety_level === "high"
          ? "❗️ This is urgent: call a clinic and set off."
          : "Have a vet see your pet."),
      followup_question,
    ]
      .filter(Boolean)
      .join("\n\n"),

  errors: {
    unreachable: () =>
      "The service is not answering right now. I saved your question: try again in a minute.",
    unauthorized: () =>
      "The bot is misconfigured, and the service does not accept it. This is not your fault: whoever runs the bot has to fix it. Please try later.",
    pro_required: () => "This needs Pro. You can still ask in words; this did not use up a question.",
    cooldown: (seconds) =>
      `On Free there is a short pause between questions. I saved your question: tap “Try again” ${soon(seconds, "a little later")}.`,
    daily_limit: (seconds) =>
      `Today's questions are used up. You get more ${soon(seconds, "tomorrow")}; Pro has no daily limit. If your pet is unwell, do not wait: call a clinic.`,
    research_limit: (seconds) =>
      `This month's research is used up; you get more ${soon(seconds, "in a month")}. You can still ask an ordinary question.`,
    photo_limit: (seconds) =>
      `This month's photos are used up. You can send photos again ${soon(seconds, "in a month")}. For now, please describe in words what they show.`,
    photo_unseen: () =>
      "I could not make out the photo; it was not charged. Take another one closer and in good light, or describe it in words.",
    photo_unreadable: () => "I cannot open this file. Send another one, or put it in words.",
    file_too_large: () =>
      "The file is too large. The limit is 8 MB and 20 megapixels for a photo, 10 MB for a voice message.",
    file_gone: () => "This file is no longer available. Please send it again.",
    nothing_kept: () => "This is no longer there.",
    busy: () => "This question is still being worked on. Tap “Try again” in a minute.",
    stale: () => "This request cannot be repeated as it is. Tap “Try again”, and I will ask anew.",
    model_failed: () => "No answer came; the question was not charged. Please try again.",
    model_late: () => "The answer took too long; the question was not charged. Please try again.",
    model_missing: () =>
      "The advisor has no access to a model right now. The question was not charged; please try later.",
    refused: () => "The service did not understand this question. Please put it shorter or in other words.",
    broken: () => "Something broke on our side; nothing was charged. Please try again a little later.",
  },

  me: {
    title: "plan and limits",
    profile: ({ plan, limits, pets, research }) =>
      [
        plan === "pro" ? "Your plan: Pro." : "Your plan: Free.",
        limits.remaining_in_window < 0
          ? "No daily limit on questions."
          : `Questions left today: ${limits.remaining_in_window}.`,
        plan === "pro" && `Research this month: ${research.used_this_period} of ${research.limit}.`,
        plan === "pro" && `Photos left this month: ${limits.vision_images_remaining ?? 0}.`,
        pets.length > 0 && `Pets: ${pets.map(({ name }) => name ?? "unnamed").join(", ")}.`,
      ]
        .filter(Boolean)
        .join("\n"),
    history: "🕘 Earlier questions",
    noHistory: "You have not asked anything yet.",
    items: (items) =>
      `Your earlier questions:\n\n${items
        .map(
          ({ created_at, topic, summary }) => `${created_at.slice(0, 10)} · ${topic}\n${cut(summary, 200)}`,
        )
        .join("\n\n")}`,
    forget: "🗑 Delete my data",
    sure: "Delete everything I know about you: conversations, history, pet cards, photos and recordings? You also lose Pro. This cannot be undone.",
    yes: "Yes, delete everything",
    no: "No, keep it",
    erasing: "Deleting…",
    erased: "Done, everything has been deleted.",
  },
};
