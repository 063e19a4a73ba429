/** Deletes what a person has confirmed on a screen: tokens go back and channels are closed first, which takes a moment. */
import { z } from "zod";
import { deleteCategory } from "../../categories/categories.ts";
import { removeMediaFile } from "../../categories/media-files.ts";
import { removeConnection } from "../../connections/connect.ts";
import { deleteDoomed } from "../../projects/delete.ts";
import { inactivity } from "../limits.ts";
import { flow, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

const removalData = z.object({
  what: z.enum(["project", "category", "connection", "media"]),
  /** Of a file, its category's. */
  id: z.int(),
  file: z.string(),
  /** The address of the screen to show afterwards. */
  next: z.string(),
});
export type RemovalData = z.infer<typeof removalData>;

export const removal = flow({
  name: "Removal",
  title: both((t) => t.removal.title),
  data: removalData,
  empty: { what: "project", id: 0, file: "", next: "dashboard" },
  first: "deleting",
  inactivity,
  states: {
    deleting: {
      ask: both((t) => t.removal.deleting),
      to: [
        "screen:dashboard",
        "screen:page:projects:{page}",
        "screen:project:{id}:categories",
        "screen:project:{id}:connections",
        "screen:category:{id}:media",
      ],
      async work({ data: { what, id, file, next }, services, language, ...work }) {
        const whose = whoseOf(work);
        const lost = await ifFound(async () => {
          if (what === "project") return deleteDoomed(services, { whose, projectId: id });
          if (what === "category") return deleteCategory(services, whose, id);
          const { storage } = services.articles;
          if (what === "media") await removeMediaFile({ ...services, storage }, whose, id, file);
          else await removeConnection(services, whose, id);
          return undefined;
        });
        const { removal: say, common } = texts[language];
        const returned = lost?.tokens_returned ?? 0;
        const notice = returned > 0 ? `${say.done} ${say.returned(common.tokens(returned))}` : say.done;
        return { to: `screen:${next}`, notice };
      },
      failed: { to: "screen:dashboard", text: both((t) => t.removal.failed) },
    },
  },
});
