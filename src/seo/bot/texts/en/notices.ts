import { counted } from "../../../../kernel/words/index.ts";

const count = (n: number, one: string, other: string) => counted(n, { one, other }, "en");

/** Automatic messages, and their switches in the administration. */
export const notices = {
  low_balance: {
    text: ({ balance, posts }: { balance: number; posts: number }) =>
      `Balance: ${count(balance, "token", "tokens")}. That is enough for ~${count(posts, "post", "posts")}.`,
    button: "Top up",
  },
  weekly_digest: {
    text: ({ publications, tokens, best }: { publications: number; tokens: number; best: string | null }) =>
      `This week: ${count(publications, "publication", "publications")}, ${count(tokens, "token", "tokens")}.${best === null ? "" : ` Top article: ${best}`}`,
    button: "Main menu",
  },
  reactivation: {
    text: ({ paused }: { paused: boolean }): string =>
      paused ? "It has been a while! Your schedules are paused." : "It has been a while!",
    button: "Back to the bot",
  },
  switches: {
    title: "Automatic messages\n\nTap one to switch it.",
    open: "Automatic messages",
    names: {
      low_balance: "Few tokens, daily at 10:00",
      weekly_digest: "The week, Mon at 9:00",
      reactivation: "Long away, Wed at 11:00",
    },
    state: (on: boolean): string => (on ? "ON" : "OFF"),
  },
};
