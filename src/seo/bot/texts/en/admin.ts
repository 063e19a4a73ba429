import { counted, lasting } from "../../../../kernel/words/index.ts";

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const usd = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const moment = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit", timeZone: "Europe/Moscow" },
});
const people = (count: number) => counted(count, { one: "person", other: "people" }, "en");
const tokens = (count: number) => counted(count, { one: "token", other: "tokens" }, "en");
const signed = (count: number) => `${count > 0 ? "+" : "−"}${tokens(Math.abs(count))}`;

export const admin = {
  back: "To the administration",
  panel: {
    title: "Administration",
    users: (all: number, free: number, paid: number) =>
      `People: ${number.format(all)} (free ${number.format(free)}, paid ${number.format(paid)})`,
    projects: (count: number) => `Projects: ${number.format(count)}`,
    revenue: (rub: number) => `Revenue in 30 days: ${number.format(rub)} ₽`,
    publications: (count: number) => `Publications in 7 days: ${number.format(count)}`,
    cost: (dollars: number, rub: number) =>
      `API cost in 30 days: $${usd.format(dollars)} (${number.format(rub)} ₽)`,
    tariffs: "Packages (last purchase):",
    payments: "Last payments:",
    payment: (name: string, what: string, price: string, at: Date) =>
      `${moment.format(at)}  ${name}: ${what}, ${price}`,
    none: "none yet",
    referrals: (invited: number, payments: number, bonus: number) =>
      `Referrals: ${number.format(invited)} invited, ${number.format(payments)} payments with a bonus, ${tokens(bonus)} given`,
    well: "Services: all well.",
    troubled: "Services: something fails, see “Monitoring”.",
    monitoring: "Monitoring",
    broadcast: "Broadcast",
    user: "Look up a person",
    costs: "API cost",
    errors: "Error log",
  },
  monitoring: {
    title: "Monitoring",
    runs: (running: number, queued: number, seconds: number) =>
      `Works: ${running} running, ${queued} waiting${queued > 0 ? `, the longest for ${lasting(seconds, "en")}` : ""}`,
    failed: (count: number) => `Failures in an hour: ${count}`,
    updates: (count: number) => `Messages without an answer: ${count}`,
    broken: (connections: number, schedules: number) =>
      `With an error: ${connections} connections, ${schedules} schedules`,
    services: "Services:",
    on: "on",
    off: "not set up",
    cards: "Payments by card (YooKassa)",
    refresh: "Refresh",
  },
  costs: {
    title: (days: number) => `API cost in ${days} days`,
    days: (days: number) => `${days} days`,
    line: (provider: string, calls: number, dollars: number, rub: number) =>
      `${provider}: $${usd.format(dollars)} (${number.format(rub)} ₽), ${number.format(calls)} calls`,
    total: (dollars: number, rub: number, rate: number) =>
      `In all: $${usd.format(dollars)} (${number.format(rub)} ₽ at ${usd.format(rate)})`,
    none: "There were no calls.",
  },
  errors: {
    title: (hours: number) => `Errors in ${hours === 24 ? "24 hours" : "7 days"}`,
    spans: { 24: "24 hours", 168: "7 days" },
    line: (at: Date, userId: number, what: string, code: string, message: string) =>
      `${moment.format(at)}  ${what}, ${code}, id ${userId}${message === "" ? "" : `: ${message}`}`,
    none: "There were no errors.",
  },
  person: {
    flow: "looking up a person",
    ask: "Whom? Send an id or a @username.",
    unknown: "There is no such person. Send an id or a @username.",
    title: (name: string, username: string | null) => `${name}${username === null ? "" : ` (@${username})`}`,
    balance: (count: number) => `Balance: ${tokens(count)}`,
    counts: (projects: number, publications: number) =>
      `Projects: ${projects} | Publications: ${publications}`,
    paid: (rub: number) => `Paid: ${number.format(rub)} ₽`,
    referred: (count: number) => `Invited: ${people(count)}`,
    since: (created: Date, last: Date) => `Came ${moment.format(created)}, last seen ${moment.format(last)}`,
    adjust: "Change the balance",
    another: "Another person",
  },
  adjust: {
    flow: "changing a balance",
    tokens: (name: string, balance: number) =>
      `${name}, balance ${tokens(balance)}.\n\nHow many tokens to give? Write a minus to take some.`,
    notTokens: "A whole number is needed, such as 500 or -200.",
    reason: "Why? The reason stays in the audit trail.",
    notReason: "Give a reason of 3 to 200 characters.",
    confirm: (name: string, count: number, reason: string, balance: number) =>
      `${name}: ${signed(count)}\nReason: ${reason}\nNew balance: ${number.format(balance + count)}\n\nIs that right?`,
    yes: "Yes, change it",
    done: (count: number, balance: number) => `Done: ${signed(count)}. Balance: ${number.format(balance)}`,
    refused: "That cannot be taken: the balance would be negative. Write another number.",
  },
  broadcast: {
    flow: "broadcast",
    audience: "Broadcast\n\nTo whom? Whoever has switched news off does not get it.",
    before: "Earlier ones:",
    was: (at: Date, sent: number, all: number) => `${moment.format(at)}: sent to ${sent} of ${all}`,
    audiences: {
      all: (count: number) => `Everybody (${number.format(count)})`,
      active_7d: (count: number) => `Active in 7 days (${number.format(count)})`,
      active_30d: (count: number) => `Active in 30 days (${number.format(count)})`,
      paid: (count: number) => `Those who paid (${number.format(count)})`,
    },
    names: {
      all: "everybody",
      active_7d: "those active in 7 days",
      active_30d: "those active in 30 days",
      paid: "those who paid",
    },
    nobody: "There is nobody. Please choose others.",
    text: "Send the text of the broadcast, up to 4096 characters.",
    notText: "A text of 1 to 4096 characters is needed.",
    confirm: (whom: string, count: number) =>
      `People will see the message as above.\n\nTo: ${whom}. Recipients: ${number.format(count)}. Send it?`,
    send: (count: number) => `Send (${number.format(count)})`,
    busy: "Another broadcast is being sent. Wait for it, or stop it.",
    sending: "Sending…",
    progress: (done: number, all: number) => `Done with ${number.format(done)} of ${number.format(all)}`,
    figures: ({ sent, blocked, failed }: { sent: number; blocked: number; failed: number }) =>
      `Sent: ${number.format(sent)}\nBlocked the bot: ${number.format(blocked)}\nFailed: ${number.format(failed)}`,
    stop: "Stop",
    refresh: "Refresh",
    ended: "The broadcast has ended; the administration has its figures.",
    done: "The broadcast has ended",
    stopped: "The broadcast was stopped",
    another: "A new broadcast",
  },
};
