import { cut, inTime } from "../../kernel/words/index.ts";
import { profileEn } from "./profile-en.ts";
import type { ru } from "./ru.ts";

const soon = (seconds: number | null, otherwise: string) =>
  seconds === null ? otherwise : inTime(seconds, "en");

export const en: typeof ru = {
  name: "Tail Advice",
  profile: profileEn,
  kinds: { dog: "🐶 A dog", cat: "🐱 A cat", other: "🐾 Another pet" },
  topics: {
    emergency: "🚑 Urgent: something is wrong",
    care: "🍲 Food and care",
    prevention: "💉 Vaccination and prevention",
  },
  commands: {
    menu: "Menu",
    ask: "Ask a question",
    pet: "My pet",
    history: "What I asked before",
    me: "Plan and limits",
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
    ask: "Hello! I advise on pets: what to do when something is wrong, what to feed them and how to look after them.\n\nWho is it about? You may also just write your question here.",
    pet: "📋 My pet",
    me: "👤 Plan and limits",
    about: "ℹ️ How it works",
  },
  about:
    "You describe what has happened, and I answer step by step: what to do now, what to watch, when to see a vet.\n\nFree: a few questions a day with a short pause between them, text only. A talk is remembered for an hour and then wiped.\n\nPro: no daily limit, photos and voice messages, a card of your pet, memory of earlier questions, research.\n\nI make no diagnoses, prescribe nothing and do not replace a vet. If your pet is unwell, call a clinic. To delete all I know of you: /delete.",
  pro: (contact) =>
    `Pro: no daily limit, photos and voice messages, a card of your pet, memory of earlier questions, and research.\n\n${contact ? `To get it: ${contact}` : "There is no payment in the bot yet: whoever runs this bot gives Pro."}`,
  openPro: "⭐️ Get Pro",

  ask: {
    title: "a question",
    expired: "An hour has passed without a message, so I closed the talk. You may begin another.",
    consent:
      "Before we begin, two terms.\n\n1. I am an advisor on a language model: I may be wrong, make no diagnoses and do not replace a vet.\n2. I pass your question to a language model. On Free it is kept during the talk and an hour after; on Pro until it is deleted. You may delete everything at any time: /delete.\n\nDo you agree?",
    agree: "✅ I agree, go on",
    disagree: "No",
    disagreed: "All right. Without that I take no questions, but you may come back at any time.",
    kind: "Who is it about?",
    topic: "What do you need help with?",
    details:
      "Tell me about your pet in one message: breed, age, sex, how it lives.\n\nFor example: “a spitz, 5 years, female, in a flat, two walks a day”.",
    waitsForConsent: "I noted your question and will answer it as soon as you agree.",
    detailsTooLong: "That is too much. Please keep to a thousand characters.",
    question: "Your question: what happened, when did it begin, what have you done so far?",
    questionPro:
      "Your question: what happened, when did it begin, what have you done so far? A photo or a voice message is fine too.",
    parked: (question) =>
      `I noted your question: “${question}”.\n\nOn Free I do not remember earlier talks. Tell me in one message who it is about: kind, breed, age. Or choose a button.`,
    asIs: "Ask as it is",
    uploading: "Got it, looking…",
    working: "Your question is taken, preparing the answer…",
    another: "A new question",
    research: "🔬 Research",
    notes: {
      left: (left) =>
        left > 0
          ? `Questions left today: ${left}. Just write to go on.`
          : "That was the last question for today; there will be more tomorrow. Pro has no daily limit.",
      pro: "Pro plan, no limit of questions. Just write to go on.",
    },
    unsupported:
      "I do not understand this yet. Write your question in words; on Pro you may send a photo or a voice message.",
  },
  firstAid: ({ alarm, steps, clinics }) =>
    `❗️ **${alarm}**\n\nRight now:\n\n${steps.map((step) => `- ${step}`).join("\n")}\n\n[${clinics.label}](${clinics.url})`,
  answer: ({ answer_text, recommended_actions: steps, should_go_to_vet, safety_level, followup_question }) =>
    [
      answer_text,
      steps.length > 0 && `What to do:\n${steps.map((step) => `• ${step}`).join("\n")}`,
      should_go_to_vet &&
        (safety_level === "high" ? "❗️ It is urgent: call a clinic and set off." : "Show your pet to a vet."),
      followup_question,
    ]
      .filter(Boolean)
      .join("\n\n"),

  faults: {
    unreachable: () => "The service does not answer now. Your question is kept: try again in a minute.",
    unauthorized: () =>
      "The bot is set up wrongly, and the service does not know it. It is not your fault: whoever runs the bot will mend it. Please try later.",
    pro_required: () => "This needs Pro. You may still ask in words; your limit was not touched.",
    cooldown: (seconds) =>
      `On Free there is a short pause between questions. Your question is kept: tap “Try again” ${soon(seconds, "a little later")}.`,
    daily_limit: (seconds) =>
      `Today's questions are used up. There will be more ${soon(seconds, "tomorrow")}, and Pro has no daily limit. If your pet is unwell, do not wait: call a clinic.`,
    research_limit: (seconds) =>
      `This month's research is used up; there will be more ${soon(seconds, "in a month")}. You may still ask a plain question.`,
    photo_limit: (seconds) =>
      `This month's photos are used up. You may send some again ${soon(seconds, "in a month")}. Please describe in words what they show.`,
    photo_unseen: () =>
      "I could not make out the photo; it was not charged. Take it closer, in good light, or describe it in words.",
    photo_unreadable: () => "This file does not open as a photo. Send another one, or describe it in words.",
    file_too_large: () =>
      "The file is too large. A photo has at most 8 MB and 20 megapixels, a voice message 10 MB.",
    file_gone: () => "This file is no longer there. Please send it once more.",
    nothing_kept: () => "It is no longer there.",
    busy: () => "This question is still being worked on. Tap “Try again” in a minute.",
    stale: () => "This request cannot be repeated. Tap “Try again”, and I ask the question anew.",
    model_failed: () => "There was no answer; it was not charged. Please try again.",
    model_late: () => "The answer took too long; it was not charged. Please try again.",
    model_missing: () => "The advisor has no access to a model now. It was not charged; please try later.",
    refused: () => "The service did not understand this question. Try other and fewer words.",
    broken: () => "Something broke on our side; it was not charged. Please try again a little later.",
  },

  me: {
    title: "the profile",
    profile: ({ plan, limits, pets, research }) =>
      [
        plan === "pro" ? "Your plan: Pro." : "Your plan: Free.",
        limits.remaining_in_window < 0
          ? "No daily limit of questions."
          : `Questions left today: ${limits.remaining_in_window}.`,
        plan === "pro" && `Research this month: ${research.used_this_period} of ${research.limit}.`,
        plan === "pro" && `Photos left this month: ${limits.vision_images_remaining ?? 0}.`,
        pets.length > 0 && `Pets: ${pets.map(({ name }) => name ?? "no name").join(", ")}.`,
      ]
        .filter(Boolean)
        .join("\n"),
    history: "🕘 What I asked before",
    noHistory: "You have not asked anything yet.",
    items: (items) =>
      `What you asked before:\n\n${items
        .map(
          ({ created_at, topic, summary }) => `${created_at.slice(0, 10)} · ${topic}\n${cut(summary, 200)}`,
        )
        .join("\n\n")}`,
    forget: "🗑 Delete my data",
    sure: "Delete all I know of you: talks, history, cards of pets, photos and recordings? Your Pro plan goes too. It cannot be undone.",
    yes: "Yes, delete everything",
    no: "No, keep it",
    erasing: "Deleting…",
    erased: "Done, everything is deleted.",
  },
};
