import { counted } from "../../../../kernel/words/index.ts";

const number = new Intl.NumberFormat("en");
const day = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "Europe/Moscow",
});
const moment = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit", timeZone: "Europe/Moscow" },
});
const tokens = (count: number) => counted(count, { one: "token", other: "tokens" }, "en");
const articles = (count: number) => counted(count, { one: "article", other: "articles" }, "en");

const operations: Readonly<Record<string, string>> = {
  text_generation: "Text",
  image_generation: "Pictures",
  keyword_generation: "Key phrases",
  audit: "Site audit",
  review: "Reviews",
  description: "Description",
  cross_post: "Cross-post",
  competitor_analysis: "Competitor analysis",
  purchase: "Purchase",
  refund: "Refund",
  referral_bonus: "Referral bonus",
  welcome_bonus: "Welcome bonus",
  adjustment: "Adjustment",
};

export const money = {
  rub: (amount: number) => `${number.format(amount)} ₽`,
  stars: (amount: number) => `${number.format(amount)} ⭐`,
  day: (date: Date) => day.format(date),
  profile: {
    title: (name: string) => `Profile: ${name}`,
    balance: (count: number) => `Balance: ${tokens(count)}`,
    enough: (count: number) => `Enough for about ${articles(count)}`,
    counts: (projects: number, categories: number) => `Projects: ${projects} | Categories: ${categories}`,
    published: (publications: number, schedules: number) =>
      `Publications: ${publications} | Schedules: ${schedules}`,
    forecast: (perWeek: number, perMonth: number) =>
      `Forecast: about ${number.format(perWeek)} tokens a week, ${number.format(perMonth)} a month`,
    noForecast: "Forecast: no schedule is on, so tokens are not spent by themselves.",
    runsOut: "At this pace your tokens last less than 2 weeks. Please top up the balance.",
    debt: (balance: number) =>
      `Your balance is negative (${tokens(balance)}) because a payment was refunded. Please top up to go on working.`,
    next: "What would you like to do?",
    topUp: "Top up the balance",
    history: "Spending history",
    referral: "Referral programme",
    notifications: "Notifications: set up",
  },
  history: {
    title: "Spending history",
    kinds: { all: "All", spent: "Spent", bought: "Bought", returned: "Returned" },
    week: (spent: number) => `Spent in 7 days: ${tokens(spent)}`,
    line: (at: Date, amount: number, type: string) =>
      `${moment.format(at)}  ${amount > 0 ? "+" : "−"}${number.format(Math.abs(amount))}  ${operations[type] ?? type}`,
    empty: "Nothing here yet.",
    next: "These are the last 20 operations. Choose which ones to show.",
  },
  referral: {
    title: "Referral programme",
    rule: (percent: number) =>
      `Invite a colleague: you get ${number.format(percent)} % of each of their payments in tokens.`,
    link: (url: string) => `Your link: ${url}`,
    invited: (count: number) => `Invited: ${number.format(count)}`,
    earned: (count: number) => `Earned: ${tokens(count)}`,
    next: "Send the link to a chat, or copy it.",
    share: "Share",
    shareText: "SEO Master writes articles and posts and publishes them by itself",
    copy: "Copy the link",
    looking: "Preparing the link…",
    flow: "referral link",
    failed: "Telegram does not answer, so the link could not be shown. Please try again in a minute.",
  },
  notifications: {
    text: "Notifications\n\nTap to switch one on or off. You are always told of payments and refunds.",
    publications: (on: boolean) => `Publications: ${on ? "ON" : "OFF"}`,
    balance: (on: boolean) => `Balance: ${on ? "ON" : "OFF"}`,
    news: (on: boolean) => `News: ${on ? "ON" : "OFF"}`,
    toSettings: "To the settings",
  },
  tariffs: {
    title: "Tokens",
    packages: "Packages:",
    line: (name: string, count: number, rub: string, stars: string) =>
      `${name}: ${tokens(count)}, ${rub} or ${stars}`,
    prices: "What things cost:",
    priceLines: (price: {
      article: number;
      post: number;
      keyword: number;
      description: number;
      audit: number;
      competitors: number;
    }) => [
      `Article about ${price.article}, post about ${price.post}`,
      `Key phrase ${price.keyword}, description ${price.description}`,
      `Site audit ${price.audit}, competitor analysis ${price.competitors}`,
    ],
    subscriptions: (names: string) =>
      `Subscriptions: ${names}. Tokens come every 30 days; you can cancel at any time.`,
    next: "Choose a package:",
    button: (name: string, rub: string) => `${name}: ${rub}`,
    mine: "My subscription",
    back: "To the packages",
    none: "Nothing is sold at the moment. Please look in later.",
  },
  offer: {
    title: (name: string, count: number) => `${name}: ${tokens(count)}`,
    bonus: (base: number, gift: number) => `${number.format(base)} + ${number.format(gift)} as a gift`,
    price: (rub: string, stars: string) => `Price: ${rub} or ${stars}`,
    enough: (count: number) => `Enough for about ${articles(count)}`,
    recurring: (days: number) =>
      `Subscription: tokens come at once and then every ${counted(days, { one: "day", other: "days" }, "en")}. You can cancel at any time.`,
    once: "Bought once: it is not renewed.",
    cheaper: "You save about 5,000 roubles when paying by card",
    next: "How would you like to pay?",
    stars: "Pay with Stars ⭐",
    card: "Pay by card (YooKassa)",
    justOnce: "Buy once",
    back: "Back",
    description: (count: number) => `${tokens(count)} for SEO Master`,
    invoiced: "The invoice is above. Tokens come as soon as it is paid.",
    refused: {
      not_sold: "This package is no longer sold. Please choose another.",
      too_many_purchases: "Too many purchases. Please wait",
      provider_unheard:
        "The payment service does not answer. Nothing was charged; please try again in a minute.",
      provider_refused: "The payment service refused. Nothing was charged; please try another way to pay.",
      recurring_not_allowed:
        "Cards cannot be renewed at the moment. Buy the package once, or pay with Stars.",
      already_subscribed: "Your subscription is active already. You can change it in “My subscription”.",
      price_changed: "The price has changed. Please open the package again.",
      sale_unknown: "This invoice is no longer valid. Please open the package again.",
      user_differs: "This invoice is for somebody else. Please open the package again.",
      amount_differs: "The amount is not that of the invoice. Please open the package again.",
      already_paid: "This invoice has been paid already; the tokens are about to come.",
    },
  },
  payment: {
    title: "payment",
    ordering: "Preparing the invoice…",
    contact:
      "Where shall the receipt be sent? Write your e-mail or phone.\n\nThe law (54-FZ) demands a receipt; you are asked once.",
    notContact:
      "This does not look like an e-mail or a phone. For example: anna@example.ru or +7 900 123-45-67",
    pay: (what: string, price: string) => `${what}\nTo be paid: ${price}`,
    payHow: "Tap the button, pay and come back: the tokens come by themselves.",
    button: (price: string) => `Pay ${price}`,
    expired: "The payment link has expired. Open the packages to start again.",
    failed: "The invoice could not be made. Nothing was charged; please try again.",
  },
  subscription: {
    title: "My subscription",
    none: "You have no subscription. Choose Pro, Business or Enterprise, and tokens come every 30 days.",
    plan: (name: string, count: number) => `${name}: ${tokens(count)} every 30 days`,
    states: {
      active: "Status: active",
      paused: "Status: paused, the last charge did not come",
      cancelled: "Status: cancelled, it is not renewed any more",
      expired: "Status: ended",
    },
    nextCharge: (date: string, price: string) => `Next charge: ${date}, ${price}`,
    until: (date: string) => `Paid until ${date}`,
    cancel: "Cancel the subscription",
    resume: "Resume the subscription",
    change: "Change the plan",
    choose: "Choose a subscription",
    sure: (name: string, count: number, date: string) =>
      `Cancel the subscription ${name}?\n\nAfter ${date} no more tokens come (${number.format(count)} every 30 days). The tokens you have and your schedules stay.`,
    yes: "Yes, cancel",
    keep: "Keep it",
    changeTo:
      "Which plan would you like? The present subscription is not renewed any more; the tokens you have stay.",
    changeSure: (from: string, to: string, count: number, price: string) =>
      `Change from ${from} to ${to}?\n\n${from} is not renewed any more. ${to}: ${tokens(count)} every 30 days for ${price}. The new subscription begins when it is paid.`,
    changeYes: "Yes, change",
    changing: "Changing the subscription…",
    flow: "subscription",
    failed:
      "The payment service did not answer, and the subscription is as before. Please try again in a minute.",
  },
  sold: {
    paid: (count: number, balance: number) => `${tokens(count)} added! Balance: ${number.format(balance)}`,
    goOn: "Your balance is topped up! Go on?",
    yes: "Go on",
    no: "No",
    renewed: (name: string, date: string, count: number, balance: number) =>
      `The subscription ${name} is renewed until ${date}. ${tokens(count)} added! Balance: ${number.format(balance)}`,
    refused:
      "Your payment came, but it does not fit its invoice, so no tokens were added. We will look into it and return the money or add the tokens.",
    failed: "The payment did not come, and nothing was charged. Please try again or choose another way.",
    refunded: (amount: string, count: number, balance: number) =>
      `A payment was refunded: ${amount}. ${tokens(count)} taken. Balance: ${number.format(balance)}`,
    debt: (balance: number) =>
      `Your balance is negative (${tokens(balance)}) because a payment was refunded. Please top up to go on working.`,
    referral: (count: number, balance: number) =>
      `Somebody you invited has topped up: you get ${tokens(count)}. Balance: ${number.format(balance)}`,
    soon: (name: string, date: string, price: string) =>
      `On ${date} the subscription ${name} is renewed for ${price}. You need not do anything.`,
    renewalFailed: (date: string) => `The renewal failed. Your subscription lasts until ${date}.`,
    paused: (name: string) =>
      `The subscription ${name} is paused: there were not enough Stars to renew it. Schedules go on with your present balance.`,
    cancelled: (name: string, date: string) =>
      `The subscription ${name} is cancelled and will not be renewed after ${date}. The tokens you have stay.`,
    resumed: (name: string, date: string) =>
      `The subscription ${name} is resumed; the next charge is on ${date}.`,
    ended: (name: string) => `The subscription ${name} has ended. The tokens you have stay.`,
    again: "Try again",
    newMethod: "Change the payment method",
    payStars: "Pay with Stars",
    topUpStars: "Top up Stars",
    manage: "Manage the subscription",
    toTariffs: "Packages",
    topUp: "Top up",
    support: "Support",
    toReferral: "Referral programme",
  },
};
