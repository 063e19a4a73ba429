import { counted } from "../../../../kernel/words/index.ts";

const number = new Intl.NumberFormat("en");
const articles = (count: number) => counted(count, { one: "article", other: "articles" }, "en");
interface Costs {
  readonly article: number;
  readonly post: number;
  readonly keyword: number;
  readonly description: number;
  readonly image: number;
  readonly crossPost: number;
}

export const home = {
  keyboard: {
    text: "The menu is below 👇",
    menu: "Menu",
    article: "Write an article",
    post: "Create a post",
    admin: "ADMIN",
  },
  commands: { start: "Main menu", cancel: "Cancel what I am doing", help: "Help" },
  dashboard: {
    welcome:
      "This is SEO Master. I find key phrases, write an article with pictures, show a preview and publish it to your site or networks.",
    bonus: (tokens: string, count: number) =>
      `You have been given ${tokens} (about ${articles(count)} for a site)`,
    balance: (tokens: string) => `Balance: ${tokens}`,
    counts: (projects: number, schedules: number) => `Projects: ${projects} | Schedules: ${schedules}`,
    enough: (count: number) => `Enough for about ${articles(count)}`,
    forecast: (perWeek: number) => `Schedules spend about ${number.format(perWeek)} tokens a week`,
    runsOut: "Your schedules have tokens for less than 2 weeks. Please top up the balance.",
    topUpFirst: "Top up the balance to generate texts.",
    next: "What would you like to do?",
    unfinished: (what: string) => `You have not finished: ${what}.`,
    unfinishedWorks: { article: "an article for a site", post: "a post for a network" },
    works: { article: "article", post: "post" },
    resume: "Go on",
    restart: "Start again",
    discard: "Discard",
    noProjects: "You have no projects yet. Create the first one, it takes 30 seconds.",
    debt: "The debt will be taken from your next top-up.",
    article: "Write an article for a site",
    post: "Publish a post to a network",
    projects: "My projects",
    profile: "Profile",
    tokens: "Tokens",
    settings: "Settings",
    help: "Help",
    topUp: "Top up the balance",
  },
  settings: {
    text: "Settings\n\nChoose one:",
    notifications: "Notifications",
    support: "Support",
    about: "About the bot",
    back: "To the settings",
  },
  support: {
    text: (contact: string) =>
      `Support\n\nWrite to us: ${contact}. Tell us what you did and what you saw, with a screenshot if you can.`,
    none: "No contact for support is set yet. Go back to the menu and try again later.",
    write: "Write to support",
  },
  about: (version: string) =>
    `About the bot\n\nSEO Master finds key phrases, writes articles and posts with pictures and publishes them to your site and networks.\n\nVersion ${version}`,
  help: {
    text: "Help\n\nWhat is it about? Choose a topic:",
    topics: {
      connect: "Connecting for the first time",
      project: "Creating a project",
      categories: "Categories",
      publishing: "Publishing",
    },
    about: {
      connect: () =>
        "1. Create a project and open “Connections”.\n2. A WordPress site: you need its address, a login and an application password (in WordPress: Users, Profile, Application Passwords).\n3. Telegram: create a bot with @BotFather and make it an administrator of the channel.\n4. VK: you need the token of a person who edits the community. Pinterest: sign in by a link and choose a board.\n\nMessages with passwords and keys are deleted from the chat at once.",
      project: () =>
        "A project is your business: a name, the company, what it does, and its site. Four answers, about 30 seconds.\n\nLater “Edit” takes the city, phone, advantages and more: the more is filled in, the better the texts.",
      categories: (costs: Costs) =>
        `A category is a topic, such as “Kitchen furniture”. It holds key phrases, a description, prices, media and settings of texts.\n\nFinding phrases: ${costs.keyword} token each. A description: ${costs.description} tokens. Uploading your own phrases and prices is free.`,
      publishing: (costs: Costs) =>
        `Tap “Write an article” or “Create a post”, look at the preview and publish it. Tokens are held while it is made, and come back if you cancel or something fails.\n\nAn article is about ${costs.article} tokens (2000 words and 4 pictures), a post about ${costs.post}, a picture ${costs.image}, a cross-post about ${costs.crossPost}. Two regenerations are free.`,
    },
    doors: {
      connect: "To my projects",
      project: "Create a project",
      categories: "To my projects",
      publishing: "Write an article",
    },
    back: "To the help",
  },
};
