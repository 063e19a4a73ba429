import { counted } from "../../../../kernel/words/index.ts";

export const removal = {
  title: "a deletion",
  deleting: "Deleting…",
  done: "Deleted.",
  returned: (tokens: string) => `The tokens of its drafts were returned: +${tokens}.`,
  failed: "That could not be deleted; everything is still there. Please try again.",
  yes: "Yes, delete",
  losses: {
    title: "This goes with it:",
    nothing: "Nothing else goes with it.",
    categories: (count: number) => counted(count, { one: "category", other: "categories" }, "en"),
    phrases: (count: number) => counted(count, { one: "key phrase", other: "key phrases" }, "en"),
    connections: (count: number) => counted(count, { one: "connection", other: "connections" }, "en"),
    schedules: (count: number) => counted(count, { one: "schedule", other: "schedules" }, "en"),
    drafts: (count: number) => counted(count, { one: "draft", other: "drafts" }, "en"),
    returned: (tokens: string) => `${tokens} of the drafts will be returned.`,
  },
};
