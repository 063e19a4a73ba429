const reasons: Readonly<Record<string, string>> = {
  cancelled: "cancelled",
  expired: "the preview is out of date",
  done: "done",
  counted: "counted by what was made",
  published: "published",
  model_failed: "the text could not be written",
  llm_failed: "the text could not be written",
  text_failed: "the text could not be written",
  plan_failed: "the plan could not be made",
  text_too_short: "the text did not pass the check",
  not_valid: "the text did not pass the check",
  low_quality: "the text did not pass the check",
  not_published: "it could not be published",
  no_picture: "no picture could be drawn",
  no_pictures: "no pictures could be drawn",
  "nothing was made": "no pictures could be drawn",
  "nothing was drawn": "no pictures could be drawn",
  nothing_found: "nothing was found",
  source_unavailable: "the service is unavailable",
  page_unreadable: "the page could not be opened",
  deleted: "the project or the category was deleted",
};

export const runs = {
  elapsed: (clock: string) => `${clock} so far`,
  stopping: "Stopping after the current step; your tokens will be returned.",
  stopped: "Stopped. Your tokens are back.",
  receipt: {
    title: "Receipt",
    held: (tokens: string) => `Held: ${tokens}`,
    settled: (tokens: string) => `Charged: ${tokens}`,
    returned: (tokens: string, reason: string | null) => {
      const why = reasons[reason ?? ""];
      return `Returned: ${tokens}${why === undefined ? "" : ` (${why})`}`;
    },
    free: "Cost: 0 (GOD_MODE, free of charge)",
  },
};
