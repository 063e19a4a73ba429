import { type ProblemTable, problemsOf } from "../http/index.ts";

/** Problem codes of billing, besides the common ones. */
export const billingProblems = {
  insufficient_balance: {
    status: 409,
    title: "There are not enough tokens",
    meaning:
      "The person has fewer tokens than were to be taken; nothing was taken. `detail` has both figures.",
  },
  key_reused: {
    status: 409,
    title: "The key stands for another movement",
    meaning: "Something else was done under this key before; give a key of its own to each movement.",
  },
  payment_not_refundable: {
    status: 409,
    title: "There is no money to give back",
    meaning: "The payment never came, or all of it has gone back already.",
  },
  provider_refused: {
    status: 409,
    title: "The provider refuses",
    meaning: "The provider of the payment did not do it and says why in `detail`; nothing was changed here.",
  },
  provider_unheard: {
    status: 503,
    title: "The provider did not answer",
    meaning: "Nobody knows whether the provider did it. Ask again: it is not done twice.",
  },
  cards_not_set_up: {
    status: 503,
    title: "Payments by card are not set up",
    meaning: "Set YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY.",
  },
  notification_refused: {
    status: 403,
    title: "The notification comes from a foreign network",
    meaning:
      "YooKassa tells of payments from its own networks only. Behind a proxy, set MOLVA_TRUST_PROXY, so that the address is the sender's.",
  },
  notification_invalid: {
    status: 400,
    title: "This is not a notification",
    meaning: "The body is not what YooKassa sends.",
  },
  notification_forged: {
    status: 404,
    title: "There is no such payment",
    meaning: "YooKassa, when asked, does not know what the notification names; nothing was changed.",
  },
} as const satisfies ProblemTable;

export const billingProblem = problemsOf(billingProblems);
