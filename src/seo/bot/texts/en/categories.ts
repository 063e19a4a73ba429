import { counted } from "../../../../kernel/words/index.ts";

const products = (count: number) => counted(count, { one: "product", other: "products" }, "en");
const files = (count: number) => counted(count, { one: "file", other: "files" }, "en");
const reviews = (count: number) => counted(count, { one: "review", other: "reviews" }, "en");
const clusters = (count: number) => counted(count, { one: "cluster", other: "clusters" }, "en");
const phrases = (count: number) => counted(count, { one: "phrase", other: "phrases" }, "en");

export const categories = {
  gone: "This category or project is no longer there: perhaps you deleted it on another device.",
  fileGone: "The file could not be fetched. Please send it again.",
  cost: {
    line: (tokens: string, balance: string, isFree: boolean) =>
      `Cost: ${tokens}${isFree ? " (GOD_MODE: free)" : ""}. Balance: ${balance}.`,
    short: (needed: number, balance: number) =>
      `There are not enough tokens: ${needed} are needed, you have ${balance}.`,
  },
  regenerate: {
    free: (left: number) => (left > 0 ? `Write it anew (free, ${left} left)` : "Write it anew (free)"),
    paid: (tokens: number) => `Write it anew (${tokens} tokens)`,
  },
  list: {
    title: (project: string, count: number) => `Categories of ${project} (${count}):`,
    empty: "A category is a theme to write about, such as “Kitchen furniture”.",
    create: "Create a category",
  },
  create: {
    title: "a new category",
    name: "New category: name\n\nA category is a theme to write about, such as “Kitchen furniture”. What shall it be called?",
    done: (name: string) => `The category “${name}” is there!`,
  },
  rename: {
    title: "a new name of the category",
    ask: (name: string) => `The category is called “${name}” now.\n\nSend the new name.`,
    done: (name: string) => `The category is called “${name}” from now on.`,
  },
  card: {
    phrases: (groups: number, count: number) =>
      `Key phrases: ${count === 0 ? "none" : `${clusters(groups)} (${phrases(count)})`}`,
    description: (has: boolean) => `Description: ${has ? "yes" : "none"}`,
    prices: (count: number) => `Prices: ${count === 0 ? "none" : products(count)}`,
    media: (count: number) => `Media: ${count === 0 ? "none" : files(count)}`,
    reviews: (count: number) => `Reviews: ${count === 0 ? "none" : reviews(count)}`,
    settings: (own: boolean) => `Content settings: ${own ? "its own" : "the usual ones"}`,
    noSchedule: "Schedule: none",
    schedule: (place: string, days: string, times: string) => `Schedule: ${place}, ${days} at ${times}`,
    forecast: (tokens: string) => `Forecast: about ${tokens} a week`,
    needsPhrases: "Begin with key phrases: without them there is nothing to write about.",
    next: "What next?",
    article: "Write an article",
    toKeywords: "Key phrases",
    toDescription: "Description",
    toPrices: "Prices",
    toMedia: "Media",
    toContent: "Content settings",
    toReviews: "Reviews",
    toScheduler: "Schedules",
    connect: "Connect a site or a network",
    rename: "Rename",
    remove: "Delete the category",
  },
  remove: {
    question: (name: string) => `Delete the category “${name}”?`,
    stays:
      "Its description, prices, media and reviews go, too. What was published stays, and so does the history of publications.",
  },
  description: {
    flow: "the description of the category",
    title: (name: string) => `Description of ${name}`,
    empty: "There is no description yet. With it, articles and posts tell more exactly about you.",
    confirm:
      "Shall I write the description of the category? With it, articles and posts tell more exactly about you.",
    yes: "Yes, write it",
    choice:
      "With a description of the topic, articles and posts tell of you better. Generate it, or write it yourself?",
    generate: (tokens: string) => `Let AI write it (${tokens})`,
    manual: "Write it yourself",
    look: "See the text that is ready",
    follow: "Being written: see it",
    writing: "Writing the description…",
    review: "Here it is. Save it?",
    saved: "The description is saved.",
    dropped: "All right, the description was not saved. The tokens were returned.",
    outdated: "This text is no longer there. Please order the description again.",
    byHand: "Send the description of the category: 10 to 2000 characters.",
    remove: "Delete the description",
    askToRemove: (name: string) => `Delete the description of “${name}”? It cannot be restored.`,
    removed: "The description is deleted.",
  },
  prices: {
    flow: "prices",
    title: (name: string) => `Prices of ${name}`,
    count: (count: number) => `The list has ${products(count)}.`,
    empty: "There are no prices yet. With them, texts name real prices instead of “on request”.",
    add: "Add prices",
    method: "How do you want to add prices?",
    byText: "As text",
    byFile: "Upload Excel",
    update: "Update by text",
    download: "Download Excel",
    fileName: "prices",
    typed:
      "Send the prices, each product on a line of its own:\n\nName — Price\nName — Price — Description\n\nThe new list replaces the old one. A long list is easier to upload as an Excel file.",
    file: "Send an Excel file (.xlsx): column A is the name, B the price, C a description (may be empty). At most 1,000 rows and 5 MB. The new list replaces the old one.",
    saved: (count: number) => `The price list is saved: ${products(count)}.`,
    remove: "Delete the price list",
    askToRemove: (name: string, count: number) =>
      `Delete the price list of “${name}” (${products(count)})? It cannot be restored.`,
    removed: "The price list is deleted.",
  },
  reviews: {
    flow: "reviews",
    title: (name: string, count: number) => `Reviews of ${name} (${count})`,
    empty: "There are no reviews yet.",
    off: "New sample reviews are switched off at the moment.",
    generate: "Write reviews",
    look: "See the reviews that are ready",
    follow: "Being written: see them",
    quantity: "How many reviews shall I write?",
    option: (count: number, tokens: string) => `${reviews(count)}: ${tokens}`,
    confirm: (count: number) => `Shall I write ${reviews(count)}?`,
    yes: "Yes, write them",
    fewer: "Fewer reviews",
    writing: "Writing reviews…",
    review: "Here they are. Save them?",
    saved: "The reviews are saved.",
    dropped: "All right, the reviews were not saved. The tokens were returned.",
    outdated: "These reviews are no longer there. Please order them again.",
    pros: (text: string) => `Pros: ${text}`,
    cons: (text: string) => `Cons: ${text}`,
    remove: "Delete the reviews",
    askToRemove: (name: string, count: number) =>
      `Delete the reviews of “${name}” (${reviews(count)})? They cannot be restored.`,
    removed: "The reviews are deleted.",
  },
  media: {
    flow: "an upload of media",
    title: (name: string, count: number, most: number) => `Media of ${name} (${count} of ${most})`,
    empty:
      "There are no files yet. Add photos, videos or documents, and the pictures of articles will look like yours. You need not.",
    hint: "Tap a file to see or delete it.",
    full: "There is no room for more files: delete one to add another.",
    add: "Add files",
    kinds: { photo: "Photo", video: "Video", document: "Document" },
    size: (megabytes: string) => `Size: ${megabytes}`,
    send: "Send me the file",
    toMedia: "To the media",
    remove: "Delete the file",
    askToRemove: (name: string) => `Delete the file “${name}”? It cannot be restored.`,
    ask: "Send photos, videos or documents, several at once if you like. A file may have 20 MB; its caption becomes its description.",
    taken: (count: number) => `${files(count)} received. Send more, or tap Save.`,
    done: (count: number) => `Save (${count})`,
    keeping: "Saving the files…",
    kept: (count: number) => `${files(count)} saved.`,
    tooLarge: "The file is larger than 20 MB. Please send a smaller one.",
    tooMany: (most: number) => `At most ${most} files can be sent at once. Save these first.`,
    failed: "They could not be saved. Please tap Save again.",
  },
};
