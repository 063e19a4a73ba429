import { counted } from "../../../../kernel/words/index.ts";

const phrases = (count: number) => counted(count, { one: "phrase", other: "phrases" }, "en");
const clusters = (count: number) => counted(count, { one: "cluster", other: "clusters" }, "en");

export const keywords = {
  phrases,
  counts: (clusterCount: number, phraseCount: number) =>
    `${clusters(clusterCount)} (${phrases(phraseCount)})`,
  find: {
    title: "finding keywords",
    headings: {
      saved: "Keywords",
      products: "Keywords (1/3) — Goods and services",
      geography: "Keywords (2/3) — Geography",
      quantity: "Keywords (3/3) — How many",
      confirm: "Keywords — Confirmation",
    },
    saved: (products: string, geography: string) =>
      `Your answers from last time.\nGoods and services: ${products}\nGeography: ${geography}\n\nUse them, or answer anew?`,
    useSaved: "Use the saved ones",
    anew: "Answer anew",
    products: "Which goods or services are they about? Separate them by commas, 3 to 1000 characters.",
    productsFault: "Say more about the goods or services: 3 to 1000 characters",
    geography: "Where do you work? Choose below, or write a city, a region or a country.",
    geographyFault: "Say where you work: 2 to 200 characters",
    quantity: (balance: string) => `How many phrases? Choose below.\nBalance: ${balance}`,
    option: (quantity: number, tokens: string) => `${phrases(quantity)} — ${tokens}`,
    order: (products: string, geography: string, quantity: number) =>
      `Goods and services: ${products}\nGeography: ${geography}\nHow many: ${phrases(quantity)}`,
    cost: (tokens: string, balance: string) => `Cost: ${tokens}. Balance: ${balance}`,
    free: "GOD_MODE, free of charge",
    onlyFound: "If fewer are found, you pay for those only.",
    yes: "Yes, find them",
    working: "Finding keywords",
    failed: "No phrases were found. Your tokens are back.",
    retry: "Tap “Yes, find them” to try again, or “Back” to change your answers.",
    gone: "This category is not there any more. Start from the main menu.",
  },
  places: { moscow: "Moscow", petersburg: "St Petersburg", russia: "All of Russia", other: "Another one" },
  placeNames: { moscow: "Москва", petersburg: "Санкт-Петербург", russia: "Вся Россия" },
  choice: {
    city: "Which city do you work in? It is saved in the project: phrases and texts depend on it.",
    cityTyped: "Write the city.",
    cityFault: "Write the city: 2 to 200 characters",
    choose: (category: string, city: string) =>
      `Keywords for “${category}”, geography: ${city}. How shall they be added?`,
    auto: (quantity: number, tokens: string) => `Find them for me (${phrases(quantity)} — ${tokens})`,
    tune: "Set the details",
    upload: "Upload my own",
    back: "Back to the checklist",
  },
  upload: {
    title: "uploading keywords",
    heading: "Upload of your own phrases",
    ask: "Send a text file in UTF-8 with one phrase on each line: at most 500 phrases and 1 MB. Volumes and clusters are added for nothing.",
    working: "Reading your phrases",
    added: (count: number) =>
      counted(count, { one: "new phrase was added", other: "new phrases were added" }, "en"),
    failed: "The file could not be read, nothing has changed. Send it again.",
    stopped: "Stopped. You can send another file.",
  },
  result: {
    done: (counts: string) => `Done: ${counts}.`,
    fewer: (found: number, wanted: number) =>
      `${phrases(found)} of ${wanted} were found: you pay for those only.`,
    volumes: (place: string) => `Search volumes: ${place}, a month.`,
    google: (country: string) => `Google, ${country}`,
    yandex: (region: string) => `Yandex, ${region}`,
    warning: (text: string) => `⚠️ ${text}`,
    list: "To the keywords",
  },
  cluster: {
    google: (volume: string) => `Google ${volume} a month`,
    yandex: (volume: string) => `Yandex ${volume} a month`,
    noVolume: "volume: no data",
    difficulty: (difficulty: number) => `difficulty ${difficulty}`,
    easy: "★ easy",
  },
  screens: {
    empty: (category: string) =>
      `Keywords — ${category}\n\nThere are no phrases yet, so there is nothing to write about. Find some, or upload your own.`,
    begin: "Find keywords",
    upload: "Upload my own phrases",
    title: (category: string) => `Keywords — ${category}`,
    best: (counts: string) => `${counts}. The most promising:`,
    look: "Look at the clusters",
    csv: "Download all (CSV)",
    csvCaption: (category: string) => `Keywords of the category “${category}”`,
    more: "Add more phrases",
    deleteCluster: "Delete a cluster",
    deleteAll: "Delete all phrases",
    deleteAllAsked: (category: string, counts: string) =>
      `Delete all phrases of the category “${category}”?\n\nThis deletes ${counts}. Schedules without phrases skip their publications. What is published stays.`,
    list: (category: string, counts: string) =>
      `${category}: ${counts}.\nChoose a cluster to see its phrases.`,
    types: { article: "For articles and posts", product_page: "For product pages and posts" },
    dropPhrases: "Delete phrases",
    toCluster: "To the cluster",
    toClusters: "To the clusters",
    drop: (cluster: string) => `The cluster “${cluster}”.\nTap a phrase to delete it at once.`,
    dropped: (phrase: string) => `Deleted: ${phrase}`,
    phraseGone: "This phrase is gone already",
    whichCluster: "Which cluster shall be deleted?",
    deleteClusterAsked: (cluster: string, count: string) =>
      `Delete the cluster “${cluster}”?\n\nIts phrases go with it: ${count}. What is published stays.`,
  },
};
