import { counted } from "../../../../kernel/words/index.ts";

export const connections = {
  checking: "Checking the connection…",
  tryAgain: "Try again",
  allTheSame: "Connect it all the same",
  elsewhere: (said: string) => `${said}\n\nConnect it all the same, or choose another place?`,
  wordpress: {
    title: "connecting WordPress",
    url: "WordPress (1/3) — Site\n\nSend the site's address, such as example.com. I add https:// if it is missing.",
    probing: "Opening the site…",
    login: (site: string) =>
      `WordPress (2/3) — Login\n\nSite: ${site}. Send the WordPress login under which articles will appear.`,
    password:
      "WordPress (3/3) — Application Password\n\nOn the site open “Users → Profile → Application Passwords”, name it “SEO Master” and press “Add”. You get 24 letters and digits: send them here.\n\nI delete the message with the password at once and store the password encrypted.",
    openProfile: "Open the WordPress profile",
    otherSite: "Another site",
    otherPassword: "Enter login and password again",
    connected: (site: string) =>
      `The site ${site} is connected! I am learning its colours, pages and speed now; the result will be on the connection's card.`,
    failed: (site: string, said: string) =>
      `Could not connect to ${site}\n\n${said === "" ? "" : `${said}\n\n`}Possible causes:\n• a typing error in the login or the Application Password\n• it is the ordinary password, not an Application Password\n• the REST API is closed by a security plugin or the hosting\n\nNothing was saved. Try again or give another site.`,
  },
  members: (count: number) => counted(count, { one: "member", other: "members" }, "en"),
  telegram: {
    title: "connecting Telegram",
    channel:
      "Telegram (1/2) — Channel\n\nSend the channel: @channel, t.me/channel or its number such as -1001234567890.",
    token:
      "Telegram (2/2) — Bot token\n\n1. Open @BotFather and send /newbot.\n2. Choose a name: BotFather sends a token.\n3. Make the bot an administrator of the channel who may post.\n4. Send the token here: I delete the message with it at once.",
    openBotFather: "Open BotFather",
    checkAgain: "Check again",
    otherChannel: "Another channel",
    connected: (channel: string) => `Telegram is connected! Channel: ${channel}`,
    failed: (said: string) =>
      `${said === "" ? "Telegram could not be connected." : said}\n\nOpen the channel's settings → “Administrators”, add the bot and let it post. Then press “Check again” or give another channel.`,
  },
  noAnswer: "the service does not answer, try again in a few minutes",
  vk: {
    title: "connecting VK",
    token:
      "VK (1/2) — Token\n\nThe token of a person who edits the community is needed, with the rights wall, photos and groups and without an end (offline). The button below tells how to get it.\n\nSend the token here: I delete the message with it at once.",
    openGuide: "How to get a token",
    listing: "Asking VK for communities…",
    select_group: "VK (2/2) — Community\n\nChoose the community to publish in.",
    noGroups: "This token has no community to publish in. Become an editor of one, or send another token.",
    apiError: (message: string) => `VK API error: ${message}`,
    otherGroup: "Another community",
    reconnect: "Reconnect VK",
    connected: (group: string) => `VK is connected! Community: ${group}`,
    failed: (said: string) =>
      `${said === "" ? "VK could not be connected." : said}\n\nNothing was saved. Try again or send another token.`,
  },
  pinterest: {
    title: "connecting Pinterest",
    opening: "Preparing the link…",
    oauth_callback:
      "Pinterest (1/2) — Access\n\nPress “Authorise in Pinterest”, allow access and come back by the page's button. The link is good for 30 minutes.",
    authorise: "Authorise in Pinterest",
    expired: "Connecting Pinterest was called off. Please try again.",
    listing: "Asking Pinterest for boards…",
    select_board: "Pinterest (2/2) — Board\n\nChoose the board to publish Pins on.",
    otherBoard: "Another board",
    off: "Pinterest is not set up on this server",
    notGranted: "no access was given, or the link is out of date",
    noBoards: "the account has no boards, make the first one in Pinterest",
    limited: "Pinterest limits requests. Try again in 15 minutes.",
    later: "Try again in 15 min",
    again: "Try again",
    connected: (board: string) => `Pinterest is connected! Board: ${board}`,
    failed: (error: string) =>
      `Pinterest could not be connected: ${(error || "something went wrong on our side").replace(/\.$/, "")}.\n\nNothing was saved. Please try again.`,
  },
  marks: { active: "✅", error: "⚠️", disconnected: "⛔" },
  statuses: { active: "active", error: "error", disconnected: "disconnected" },
  toConnection: "To the connection",
  list: {
    title: (project: string, count: number) => `Connections — ${project} (${count}):`,
    empty: "There are no connections yet. Add a site or a network: articles and posts will appear there.",
    next: "Tap a connection to open it, or add a new one.",
    add: (platform: string) => `Add ${platform}`,
  },
  card: {
    status: (status: string) => `Status: ${status}`,
    since: (date: string) => `Connected: ${date}`,
    error: (words: string) =>
      `What happened: ${words.replace(/\.$/, "")}. Check the connection or connect it again.`,
    unknownError: "the platform refused to publish",
    disconnected: "There is no access any more: connect it again.",
    open: "Open ↗",
    check: "Check the connection",
    reconnect: (platform: string) => `Reconnect ${platform}`,
    remove: "Delete the connection",
  },
  check: {
    title: "checking a connection",
    ok: "The connection works.",
    wrong: (words: string) => `The check did not pass: ${words.replace(/\.$/, "")}.`,
    failed: "It could not be checked: something went wrong on our side. Try again a little later.",
  },
  remove: {
    question: (name: string, schedules: number) =>
      `Delete the connection ${name}?\n\n${
        schedules === 0
          ? "It has no schedules."
          : `${counted(schedules, { one: "schedule goes", other: "schedules go" }, "en")} with it.`
      } What was published stays.`,
  },
  site: {
    title: "settings of a site",
    saved: "Saved.",
    clear: "Clear",
    notSet: "Not set.",
    now: (value: string) => `Now: ${value}`,
    learning: "I am learning the site: its colours, speed and pages will be here in a minute or two.",
    score: (performance: number, seo: number | null) =>
      `PageSpeed: ${performance}/100${seo === null ? "" : `, SEO: ${seo}/100`}`,
    linksFound: (count: number) =>
      count === 0
        ? "No internal links were found yet."
        : `${counted(count, { one: "internal link was", other: "internal links were" }, "en")} found and will be used in articles`,
    categories: {
      button: "WP categories",
      ask: "WP categories\n\nIn which categories of the site do articles belong? Send the names with commas between them: missing ones are made.",
      refusal: "Send 1 to 20 names with commas between them, each of 100 characters at most.",
    },
    tags: {
      button: "Tags",
      ask: "Tags\n\nWhich tags do articles get? Send them with commas between them.",
      refusal: "Send 1 to 50 tags with commas between them, each of 100 characters at most.",
    },
    internal: {
      button: "Internal links",
      question: (site: string, count: number, found: number | null) =>
        `Internal links — ${site}\n\nHow many links to pages of the site does an article get? Now: ${count}.${found === null ? "" : ` Pages found: ${found}.`}`,
    },
    external: {
      button: "External links",
      ask: "External links\n\nWhich pages of other sites does an article link to where it speaks of them? Send up to five lines such as\nTitle — https://example.com/page",
      refusal:
        "Format: Title — https://example.com/page, up to five lines. A title has at least 2 characters.",
    },
    canonical: {
      ask: "Canonical\n\nIf the originals of articles are on another site, send its address, such as https://example.com. Usually this is not needed.",
      refusal: "Send an address that begins with http:// or https://.",
    },
    seo: {
      button: "SEO: canonical, robots",
      question: (site: string, canonical: string | null, robots: string | null) =>
        `SEO — ${site}\n\nCanonical: ${canonical ?? "the article itself"}\nRobots: ${robots ?? "as the site decides"}\n\nWhat are search robots told of articles?`,
      changeCanonical: "Change canonical",
      asSite: "As the site decides",
    },
    schema: {
      button: "Schema.org type",
      question: (site: string) => `Schema.org — ${site}\n\nWhat are articles for search engines?`,
      types: {
        Article: "Article",
        BlogPosting: "Blog post (BlogPosting)",
        NewsArticle: "News (NewsArticle)",
        TechArticle: "How-to (TechArticle)",
      },
    },
    colors: {
      button: "Site colours",
      line: (colours: string) => `Site colours: ${colours}`,
      names: namesOf({
        primary: "primary",
        secondary: "secondary",
        accent: "accent",
        background: "background",
        text: "text",
        link: "links",
        border: "borders",
      }),
      shown: (site: string, colours: string) =>
        colours === ""
          ? `Site colours — ${site}\n\nThe colours are not known yet. Articles follow the site's theme.`
          : `Site colours — ${site}\n\n${colours}\n\nTables and boxes in articles have these colours. They are taken from the site.`,
    },
  },
  menu: {
    text: (category: string, connection: string, status: string) =>
      `${category} → ${connection}\nStatus: ${status}\n\nWhat shall be done?`,
    publish: {
      wordpress: "Publish an article",
      telegram: "Publish a post",
      vk: "Publish a post",
      pinterest: "Publish a Pin",
    },
    schedule: "Schedule",
    content: "Content settings",
    ownContent: "Content settings (its own)",
    link: "Link to the site",
    changeLink: "Change the project's site",
    linkText: {
      wordpress: (site: string | null) => `Articles appear at ${site ?? ""}`,
      telegram: (site: string | null) => postLink(site),
      vk: (site: string | null) => postLink(site),
      pinterest: (site: string | null) =>
        site === null
          ? "Pins lead nowhere yet: the project has no site. Add one in the project's fields."
          : `Pins lead to ${site}`,
    },
    boards: "Choose boards",
    connection: "Connection",
    disconnect: "Disconnect the platform",
  },
};

const postLink = (site: string | null) =>
  site === null
    ? "The project has no site, so posts have no link to it. Add one in the project's fields."
    : `The project's site, which posts tell of: ${site}`;

/** Other names are shown as they are. */
function namesOf(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return names;
}
