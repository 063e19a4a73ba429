import { numbersIn } from "../../../texts/index.ts";
import type { ru } from "./texts.ru.ts";

const numbers = numbersIn("en");
const deliveries = { one: "delivery", other: "deliveries" };
const posts = { one: "post", other: "posts" };

export const en: typeof ru = {
  title: "Needs attention",
  calm: "All is well",
  calmHint: "Nothing has failed since you last looked, and the channels work.",
  since: (time) => `since ${time}`,
  seen: "Mark all as seen",
  seenDone: "Marked: from now on only what is new is shown.",
  failed: (count, postCount) =>
    `${numbers.count(count, deliveries)} of ${numbers.count(postCount, posts)} did not arrive`,
  inChannels: (names, more) => (more > 0 ? `${names} and ${numbers.format(more)} more` : names),
  truncated: "There are more failures than fit here: the newest are shown.",
  cause: {
    retry: "The platform did not respond for a while. Send them again.",
    wait: "The platform asks to wait. Wait, then send them again.",
    new_token: "The credential is no longer valid. Set a new token, then recover the posts.",
    test_channel: "The bot cannot post in the channel. Check its rights, then recover the posts.",
    resume_channel: "The channel is stopped. Resume it when it may go on.",
    shorten: "The post is longer than the platform takes. Shorten it.",
    look: "Only a person can tell. See what the platform answered.",
  },
  again: "Send again",
  open: "Open",
  toChannel: "Open the channel",
  resume: "Resume",
  resumed: (name) => `The channel “${name}” works again.`,
  state: { disabled: "disabled", paused: "paused", silent: "silent" },
  until: "ends",
  byRefusals: "after refusals of the platform",
  byOperator: (name) => `stopped by ${name}`,
  source: (name) => `Source “${name}”`,
  sourceState: { failing: "cannot be read", late: "was not asked in time" },
  stuck: (count) => `${numbers.count(count, deliveries)} stuck while being sent`,
  stuckHint: "A process may have stopped halfway. Put them back into the queue: they will not go out twice.",
  release: "Put back",
  held: (count) => `${numbers.count(count, deliveries)} waiting for your decision`,
  heldHint: "They are held: decide whether they go out.",
  released: (count) => `${numbers.count(count, deliveries)} back in the queue.`,
  resent: (count) => `${numbers.count(count, deliveries)} on the way again.`,
  requeueLead: (count) => `${numbers.count(count, deliveries)} will go out again.`,
  posts: "Latest posts",
  allPosts: "All posts",
  noPosts: "No posts yet.",
  delivered: (sent, all) => `${numbers.format(sent)} of ${numbers.format(all)} delivered`,
  noChannel: "no channel took it",
  textless: "without text",
  today: "Going out today",
  todayNothing: "Nothing else is planned for today.",
  todayCount: (count) => numbers.count(count, { one: "publication", other: "publications" }),
  plan: "The whole plan",
};
