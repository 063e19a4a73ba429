import { counted } from "../../../../kernel/words/index.ts";

const tokens = (count: number) => counted(count, { one: "token", other: "tokens" }, "en");
const lines = (...parts: readonly (string | false | undefined)[]) =>
  parts.filter((part) => part !== false && part !== undefined && part !== "").join("\n");

export const articles = {
  pipeline: {
    title: "an article for the site",
    kept: (project: string, step: string) => lines(project !== "" && `Project: ${project}`, `Step: ${step}`),
    ended: "The article is ready: have a look at the preview.",
    steps: {
      project: "Article (1/5): project",
      site: "Article (2/5): site",
      theme: "Article (3/5): theme",
      preparation: "Article (4/5): preparation",
      confirmation: "Article (5/5): confirmation",
      generating: "Article: writing...",
      preview: "Article: preview",
      publishing: "Article: publishing",
    },
    which: { project: "For which project?", site: "For which site?", theme: "Which theme?" },
    newProject: "New project",
    createProject: {
      name: "Article (1/5): project\n\nLet us create a project first, it takes 30 seconds.\n\nWhat shall we call it?",
      company_name: "Article (1/5): project\n\nWhat is the company called?",
      specialization: "Article (1/5): project\n\nWhat does the company do?",
      website_url: "Article (1/5): project\n\nSend the site's address, or tap Skip.",
    },
    noSite: "Publishing needs a WordPress site. Shall we connect it?",
    connect: "Connect WordPress",
    previewOnly: "Preview only (no publishing)",
    newTheme: "What will the article be about? Name the theme.",
    addTheme: "New theme",
    otherProject: "Another project",
    otherTheme: "Another theme",
    repeat: {
      text: (place: string, theme: string) => `Same as last time?\n\n${place}\nTheme: ${theme}`,
      same: "Same theme → write it",
    },
    readiness: {
      intro: "To make the article your own, this is missing:",
      complete: "Everything is ready.",
      item: {
        keywords: "Key phrases: nothing begins without them",
        description: "A description of the theme: the article will be more to the point",
        prices: "Prices: they go into the article as they are",
      },
      done: {
        keywords: (phrases: string) => `Key phrases: ${phrases}`,
        description: "Description: there",
        prices: (count: number) => `Prices: ${count}`,
        images: (count: number, cost: number) => `Pictures: ${count} (${cost} tokens)`,
      },
      phrases: (count: number) => counted(count, { one: "phrase", other: "phrases" }, "en"),
      cost: (article: number, spent: number) =>
        spent > 0
          ? `Article: ~${article} tokens. Preparation: ${spent}. Together: ~${article + spent}.`
          : `Article: ~${article} tokens.`,
      balance: (balance: number) => `Balance: ${tokens(balance)}`,
      keywords: "Find key phrases (100 tokens)",
      description: "Description (20 tokens)",
      prices: "Prices",
      images: "Pictures",
      go: "All fine, write it →",
      blocked: "Find key phrases first: there is nothing to write about without them.",
    },
    images: {
      text: (count: number) =>
        count === 0
          ? "The article will have no pictures."
          : `The article will have ${counted(count, { one: "AI picture", other: "AI pictures" }, "en")} on its theme.`,
      use: (cost: number) => (cost === 0 ? "No pictures" : `AI pictures (${cost} tokens)`),
      count: "Choose how many",
      howMany: "How many pictures?",
    },
  },
  publish: {
    title: "publishing an article",
    header: "Publishing an article",
    generating: "Publishing an article: writing...",
    preview: "Publishing an article: preview",
    publishing: "Publishing an article",
    failed: "The article could not be written. Your tokens are back.",
    kept: (category: string, title: string) =>
      lines(category !== "" && `Theme: ${category}`, title !== "" && `Article: ${title}`),
  },
  confirm: {
    place: (project: string, site: string | null) => `${project} → ${site ?? "preview only"}`,
    theme: (category: string) => `Theme: ${category}`,
    phrase: (phrase: string, clusters: number) => `Phrase: “${phrase}” (clusters: ${clusters})`,
    images: (count: number) => `Pictures: ${count}`,
    time: (from: number, to: number) => `Takes ${Math.max(1, Math.floor(from))} to ${Math.ceil(to)} min.`,
    cost: (about: number) => `Cost: ~${about} tokens`,
    free: (about: number) => `Cost: ~${about} tokens (GOD_MODE, free of charge)`,
    balance: (balance: number) => `Balance: ${tokens(balance)}`,
    held: (tokens: number) =>
      `Up to ${tokens} tokens are held; the rest comes back when the length is known.`,
    planned: "It will be written from the plan.",
    update: (url: string) => `The article takes the place of ${url}`,
    short: (needed: number, balance: number) => `Not enough tokens! Needed: ~${needed} | Balance: ${balance}`,
    debt: (balance: number) =>
      `Your balance is negative (${balance} tokens) because money was refunded. Top it up to go on.`,
    topUp: "Top up the balance",
    topUpFirst: "Top up: the article waits for you on the main screen for 24 hours.",
    create: "Write the article",
    yes: "Yes, write it",
    plan: "Plan",
    checklist: "Back to the checklist",
    findPhrases: "Find phrases",
    ask: "Tap the button to begin. If you do not like the article, your tokens come back.",
    refilled: "The balance is topped up! Go on?",
  },
  plan: {
    making: "Article: plan...",
    title: (phrase: string) => `Plan of the article “${phrase}”`,
    angle: (angle: string) => `Main thought: ${angle}`,
    titles: "Possible titles:",
    readers: "What readers want to know:",
    gaps: "What competitors leave out:",
    sources: "What it rests on:",
    needs: "What else we will check:",
    own: "What only you can say:",
    noOwn: "nothing yet: any fact of yours will do",
    cost: (from: number, to: number) => `The article costs ${from} to ${to} tokens. The plan is free.`,
    question: (question: string) =>
      `One question, so that the article cannot be mistaken for somebody else's:\n${question}\n\nAnswer in a message, or tap “Write the article”.`,
    next: "Tap “Write the article”, and it is written by this plan.",
    answered: "Thank you! Your answer goes into the article.",
    noQuestion: "There are no more questions: tap “Write the article” or “To the confirmation”.",
    toConfirm: "To the confirmation",
    stopped: "The plan was stopped. Nothing was charged.",
  },
  ordering: "Beginning…",
  orderFailed: "It could not begin because of a fault on our side. Nothing was charged; please try again.",
  gone: "The project, the theme or the site was deleted. Please begin the article again.",
  generationFailed: {
    pipeline: (returned: number) => `The text could not be written. Tokens returned: ${returned}`,
    free: "The text could not be written. Nothing was charged.",
    next: "Try again, or choose another theme.",
    again: "Try again",
  },
  serves: {
    update: "Update the old one",
    other: "Another theme",
    anyway: "Write it anyway",
    which: "What shall it be about instead? These phrases are free.",
    none: "No free phrases are left. Find new ones, or choose another theme.",
    more: "Find phrases",
  },
  changes: {
    label: "What changes on the page",
    title: "What changes",
    address: "Page:",
    fileName: "changes.html",
    page: (url: string) => `Updates the page: ${url}`,
    line: (added: number, removed: number, before: number, after: number) =>
      `What changes: ${added} new paragraphs, ${removed} go; words ${before} before, ${after} after.`,
    unknown: "I do not have the page's present text: compare it with the preview before it is replaced.",
  },
  preview: {
    words: (words: number, images: number, headings: number) =>
      `Words: ${words} | Pictures: ${images} | Sections: ${headings}`,
    cluster: (phrase: string) => `Cluster: ${phrase}`,
    score: (score: number) => `Score: ${score} of 100`,
    tokens: (held: number, left: number) => `Tokens: ${held} (held until you decide) | Balance: ${left}`,
    free: "Cost: 0 tokens (GOD_MODE, free of charge)",
    site: (site: string) => `Site: ${site}`,
    link: (url: string) => `Preview: ${url}`,
    rough: "The preview is approximate. On the site the article will look as your WordPress theme has it.",
    warnings: "Please note:",
    begins: "The article begins:",
    left: (free: number) => (free > 0 ? `Free rewritings left: ${free}` : "The free rewritings are used up."),
    noSite:
      "There is no site yet: connect WordPress, or take the HTML as a file. The HTML is a purchase: its tokens are charged.",
    open: "Open the preview ↗",
    publish: "Publish",
    regenerate: "Write it anew",
    regenerateFor: (cost: number) => `Write it anew (~${cost} tokens)`,
    cancel: "Cancel and return the tokens",
    connect: "Connect WordPress and publish",
    html: "Copy the HTML",
    otherSite: "Another connection",
    which: "On which site shall it be published?",
    noOther: "The project has no other WordPress site. Connect one under Connections.",
    decided: "What shall we do with this article?",
    findPhrases: "Add more phrases",
  },
  regenerating: "Article: writing it anew...",
  short: {
    publish: "Publish this one",
    back: "To the preview",
  },
  cancelling: "Cancelling and returning the tokens…",
  cancelled: (returned: number) =>
    returned > 0
      ? `The article is cancelled. Tokens returned: ${returned}.`
      : "The article is cancelled. Nothing was charged.",
  cancelFailed:
    "It could not be cancelled because of a fault on our side. The article is there; please try again.",
  taking: "Preparing the file…",
  taken: (charged: number) =>
    `The article's HTML is in the file above. Its picture links live for a week: put the pictures on your site. Charged: ${tokens(charged)}.`,
  fileName: "article.html",
  takeFailed: "There is no file because of a fault on our side. The article is there; please try again.",
  stopped: "Stopped. Your tokens are back.",
  expired: {
    text: "The preview is out of date. Generate the article again.",
    returned: (returned: number) => `Tokens returned: ${returned}.`,
    told: (keyword: string, returned: number) =>
      `The preview of the article “${keyword}” has expired. ${returned > 0 ? `Tokens returned: +${returned}.` : "Nothing was charged."}`,
    again: "Generate again",
  },
  publishing: {
    begins: "Publishing…",
    again: "It is being published already",
    failed:
      "Publishing could not begin because of a fault on our side. The article is there; please try again.",
    ended: (site: string, returned: number) =>
      `It could not be published in WordPress: ${site}. Tokens returned: ${returned}`,
    reason: (said: string) =>
      said
        .replace(/^The article could not be published: /, "Reason: ")
        .replace(/ The tokens were returned\./, ""),
    next: "The article is kept for 24 hours. Another try holds the tokens again.",
    check: "Check the connection",
    draft: "Keep as a draft",
    drafted: "The draft is kept for 24 hours. Tap Continue to come back to it.",
    checkFirst: "Check the connection. The article waits for you on the main screen for 24 hours.",
  },
  published: {
    title: "Published!",
    updated: "The page is updated!",
    site: (site: string) => `Site: ${site}`,
    charged: (charged: number, left: number) => `Charged: ${tokens(charged)} | Left: ${tokens(left)}`,
    open: "Open the article ↗",
    more: "Another article",
    schedule: "Publish automatically",
    offer: "Publish such articles on a schedule?",
    addImages: "Add pictures",
    findPhrases: "Find phrases",
    hints: {
      description: "Tip: describe the theme, and the next articles will be more to the point.",
      prices: "Tip: add prices, and articles will have real figures.",
      schedule: "Tip: switch on a schedule, and articles will come out by themselves.",
    },
    addDescription: "Add a description",
    addPrices: "Add prices",
  },
};
