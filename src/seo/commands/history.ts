import {
  addList,
  byOf,
  changing,
  moment,
  type Paged,
  print,
  reading,
  shown,
  table,
} from "../../terminal/index.ts";
import { cancelPreview, previewPage, readPreview } from "../previews/previews.ts";
import type { Preview } from "../previews/shape.ts";
import { publicationPage } from "../publications/publications.ts";
import type { Publication } from "../publications/shape.ts";
import { asPerson, type ForPerson, forPerson, idIn } from "./for-person.ts";
import { placeText } from "./rank.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo publication list`, `molva seo preview list|show|cancel`. */
export const addHistory: AddSeoCommand = (parent, terminal) => {
  const publications = parent.command("publication").description("what was published");
  addList<Publication, ForPerson & Paged>(publications, terminal, {
    about: "a person's publications, the newest first",
    choosing: forPerson,
    page: ({ sql }, workspaceId, options) =>
      publicationPage(sql, { workspaceId, userId: options.user }, options),
    shown: table("Nothing was published yet.", {
      id: ({ id }) => String(id),
      time: ({ created_at }) => moment(created_at),
      what: ({ content_type }) => content_type,
      platform: ({ platform_type }) => platform_type,
      phrase: ({ keyword }) => keyword ?? "",
      status: ({ status }) => status,
      place: placeText,
      url: ({ post_url, error_message }) => post_url ?? error_message ?? "",
    }),
  });
  const previews = parent.command("preview").description("articles that wait for a decision");
  addList<Preview, ForPerson & Paged>(previews, terminal, {
    about: "a person's previews, the newest first",
    choosing: forPerson,
    page: ({ sql }, workspaceId, options) => previewPage(sql, { workspaceId, userId: options.user }, options),
    shown: table("No previews.", {
      id: ({ id }) => String(id),
      title: ({ title }) => title ?? "",
      tokens: ({ tokens_charged }) => String(tokens_charged ?? 0),
      status: ({ status }) => status,
      until: ({ expires_at }) => moment(expires_at),
    }),
  });
  forPerson(reading(previews, "show", "one article with its text"))
    .argument("<preview>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const preview = await asPerson(terminal, options, ({ sql }, whose) => readPreview(sql, whose, id));
      print(terminal, options, preview, () => shown(preview));
    });
  forPerson(changing(previews, "cancel", "cancel a draft; what was held for it goes back"))
    .argument("<preview>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const { returned } = await asPerson(terminal, options, (deps, whose) =>
        cancelPreview(deps, whose, id, byOf(options)),
      );
      print(terminal, options, { cancelled: id, returned }, () => `Cancelled; ${returned} tokens went back.`);
    });
};
