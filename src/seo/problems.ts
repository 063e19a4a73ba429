import { Problem, type ProblemTable, problem } from "../http/index.ts";
import type { Said } from "./said.ts";

/** Problem codes of SEO Master, besides the common ones. */
export const seoProblems = {
  value_refused: {
    status: 422,
    title: "A value cannot be used",
    meaning: "A field, a line or a file is not as it has to be; `errors` says which and how it has to be.",
  },
  file_refused: {
    status: 422,
    title: "The file cannot be used",
    meaning: "The file is too large, of another kind or damaged; `detail` says what is taken.",
  },
  connected_elsewhere: {
    status: 409,
    title: "Another project of this person is connected to it",
    meaning: "Both projects would publish to the same place. `shared: true` connects it all the same.",
  },
  place_taken: {
    status: 409,
    title: "Somebody else has connected it",
    meaning: "A Telegram channel belongs to one person: it has to be removed there first.",
  },
  connection_failed: {
    status: 422,
    title: "The platform does not let it in",
    meaning:
      "The account or the place was tried and refused; nothing was connected. `detail` says what to do.",
  },
  too_many_connections: {
    status: 429,
    title: "Too many new connections",
    meaning: "A person may add ten connections an hour; `detail` says when the next one is possible.",
  },
  too_few_tokens: {
    status: 409,
    title: "There are not enough tokens",
    meaning:
      "The work costs more than the person has; nothing was begun or charged. `detail` has both figures.",
  },
  too_many_works: {
    status: 429,
    title: "Too many works in an hour",
    meaning:
      "The limit of the hour is reached; nothing was begun or charged. `Retry-After` says when to try again.",
  },
  text_not_reviewed: {
    status: 409,
    title: "The text does not wait for a decision",
    meaning: "It is still being written, or it was saved or cancelled, or its 24 hours are over.",
  },
  part_off: {
    status: 409,
    title: "That part is switched off",
    meaning: "The operator has not switched it on or given it a key; `detail` names the setting.",
  },
  no_phrase: {
    status: 409,
    title: "There is nothing to write about",
    meaning:
      "The category has no phrase for this work, or others are at work on all of them; nothing was begun or charged. `detail` says what helps.",
  },
  page_serves: {
    status: 409,
    title: "A page of the site serves this phrase already",
    meaning:
      "Two pages about one phrase compete with each other; nothing was begun or charged. `detail` names the page. Order again with `update` (the page's address), with another `phrase`, or with `anyway`.",
  },
  not_publishable: {
    status: 422,
    title: "It cannot be published there",
    meaning: "The connection is of another project or platform, or the site refuses such a post.",
  },
  preview_ended: {
    status: 409,
    title: "The preview is not a draft any more",
    meaning: "It was published or cancelled, or its 24 hours are over. Generate the article again.",
  },
  broadcast_under_way: {
    status: 409,
    title: "Another broadcast is being sent",
    meaning: "News goes out one at a time: wait for the other one, or stop it.",
  },
} as const satisfies ProblemTable;

/** A problem that a bot can tell in the person's language. */
export class SeoProblem extends Problem {
  readonly said: Said;

  constructor(
    code: keyof typeof seoProblems,
    said: Said,
    { pointers = [], headers = {} }: { pointers?: readonly string[]; headers?: Record<string, string> } = {},
  ) {
    super(code, seoProblems[code], {
      detail: said.en,
      errors: pointers.map((pointer) => ({ pointer, detail: said.en })),
      headers,
    });
    this.said = said;
  }
}

/** What is not there, and what belongs to somebody else, is answered alike. */
export const notFound = (what: string, id: number | string) =>
  problem("not_found", { detail: `There is no ${what} ${id}.` });
