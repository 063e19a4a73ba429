import {
  byOf,
  type Common,
  changing,
  deleting,
  print,
  printDeleted,
  reading,
  table,
  withCore,
} from "../../terminal/index.ts";
import {
  addMediaFile,
  listMedia,
  type MediaDeps,
  removeMediaFile,
  type ShownMedia,
} from "../categories/media-files.ts";
import { seoParts } from "../parts.ts";
import type { Whose } from "../people/whose.ts";
import { bytesOf } from "./bytes-of.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface AddOptions extends ForPerson {
  readonly description?: string;
}

/** `molva seo category media add|list|delete`, which `addCategories` must have begun. */
export const addMediaCommands: AddSeoCommand = (parent, terminal) => {
  const category = parent.commands.find((each) => each.name() === "category");
  if (!category) throw new Error("the command category has to be added first");
  const command = category
    .command("media")
    .description("photos, videos and documents; photos steer the style of pictures");
  const withMedia = <T>(options: ForPerson, work: (deps: MediaDeps, whose: Whose) => Promise<T>) =>
    withCore(terminal, options, (core, workspaceId) =>
      work({ ...seoParts(core), storage: core.storage }, { workspaceId, userId: options.user }),
    );
  forPerson(reading(command, "list", "the files, with addresses that live for a week"))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const media = await withMedia(options, (deps, whose) => listMedia(deps, whose, id));
      print(terminal, options, { items: media, next: null }, () => mediaTable(media));
    });
  forPerson(changing(command, "add", "add a file of at most 20 MB; what it is, its content says"))
    .argument("<category>", "its number", idIn)
    .argument("<file>", "a photo, a video or a document; - reads standard input")
    .option("--description <text>", "what it shows, for pictures in the same style")
    .action(async (id: number, path: string, options: AddOptions) => {
      const given = { bytes: await bytesOf(path), name: path, description: options.description };
      const media = await withMedia(options, (deps, whose) =>
        addMediaFile(deps, whose, id, given, byOf(options)),
      );
      print(terminal, options, { items: media, next: null }, () => mediaTable(media));
    });
  forPerson(deleting(command, "remove a file"))
    .alias("remove")
    .argument("<category>", "its number", idIn)
    .argument("<file>", "its id, as the list prints it")
    .action(async (id: number, fileId: string, options: ForPerson & Common) => {
      const { dryRun = false } = options;
      await withMedia(options, (deps, whose) =>
        removeMediaFile(deps, whose, id, fileId, { by: byOf(options), dryRun }),
      );
      printDeleted(terminal, options, fileId, `the file ${fileId}`);
    });
};

const mediaTable = (media: readonly ShownMedia[]) =>
  table<ShownMedia>("No files.", {
    id: ({ file_id }) => file_id,
    type: ({ type }) => type,
    name: ({ file_name }) => file_name ?? "",
    bytes: ({ file_size }) => String(file_size),
    description: ({ description }) => description ?? "",
    address: ({ url }) => url ?? "",
  })(media);
