import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type FernetKey, parseFernetKey } from "../../kernel/crypto/index.ts";
import {
  byOf,
  type Common,
  changing,
  counted,
  exitCodes,
  fromFile,
  inWorkspace,
  print,
  printing,
  rehearsable,
  secretIn,
  type Terminal,
  table,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import type { Core } from "../../workspaces/index.ts";
import { WrongKey } from "../import/bring-connections.ts";
import { type ImportReport, importOld } from "../import/import-old.ts";
import type { Note, TableCount } from "../import/importing.ts";
import { fromDatabase, fromFolder, type OldSource, SourceError } from "../import/source.ts";
import { switchOnImported, type WaitingSchedule, waitingSchedules } from "../import/switch-on.ts";
import { seoParts } from "../parts.ts";
import type { AddSeoCommand } from "./seo.ts";

interface ImportOptions extends Common {
  readonly keyFile?: string;
  readonly fromFile?: string;
  readonly dryRun?: boolean;
}

/** The variables with the old database and the old key, for those who have no files. */
const variables = { address: "OLD_DATABASE_URL", key: "OLD_ENCRYPTION_KEY" } as const;

const about = `
The folder holds the tables of a dump as CSV files with a line of names: users.csv, projects.csv, … Without a folder, the address of the old
PostgreSQL is read from --from-file or ${variables.address}. The key that encrypted the old credentials is read from --key-file or
${variables.key}; it is never an argument. Rows that cannot come are listed, and the others come; correct them and run it again: what has
come already stays as it is. Rehearse first:

  $ molva seo import ./dump --key-file old.key --dry-run`;

/** `molva seo import [folder]`, `molva seo import-schedules`. */
export const addImport: AddSeoCommand = (parent, terminal) => {
  rehearsable(inWorkspace(printing(parent.command("import"))))
    .description("move the former SEO Master here: people, money, projects, connections, schedules (off)")
    .argument("[folder]", "the CSV files of a dump")
    .option("--from-file <path>", `the address of the old PostgreSQL: ${fromFile}`)
    .option("--key-file <path>", `the old ENCRYPTION_KEY: ${fromFile}`)
    .addHelpText("after", about)
    .action(async (folder: string | undefined, options: ImportOptions) => {
      const key = await oldKey(terminal, options);
      const report = await withCore(terminal, options, (core, workspaceId) =>
        fromSource(terminal, folder, options, (source) => imported(core, workspaceId, source, key, options)),
      );
      print(terminal, options, report, () => reportText(report));
    });
  rehearsable(
    changing(parent, "import-schedules", "the imported schedules that wait, with their old ids at QStash"),
  )
    .option("--switch-on", "the old ones are deleted: switch on those whose connections work")
    .action(async (options: Common & { readonly switchOn?: boolean; readonly dryRun?: boolean }) => {
      const items = await withCore(terminal, options, ({ sql, clock }, workspaceId) =>
        options.switchOn
          ? switchOnImported({ sql, clock }, workspaceId, byOf(options), options)
          : waitingSchedules(sql, workspaceId),
      );
      print(terminal, options, { items }, () => schedulesText(items, options.switchOn ?? false));
    });
};

async function oldKey({ environment }: Terminal, { keyFile }: ImportOptions): Promise<FernetKey | undefined> {
  const text = (await secretIn(keyFile)) ?? environment[variables.key]?.trim();
  if (!text) return undefined;
  const key = parseFernetKey(text);
  if (!key)
    throw new UserError("The old key is no Fernet key: 44 characters of URL-safe base64.", exitCodes.usage);
  return key;
}

async function fromSource<T>(
  { environment }: Terminal,
  folder: string | undefined,
  { fromFile: path }: ImportOptions,
  work: (source: OldSource) => Promise<T>,
): Promise<T> {
  if (folder !== undefined) {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw new UserError(`${resolve(folder)} is no folder.`, exitCodes.usage);
    return work(fromFolder(folder));
  }
  const url = (await secretIn(path)) ?? environment[variables.address]?.trim();
  if (!url)
    throw new UserError(
      `Give a folder of CSV files, or the old database by --from-file or ${variables.address}.`,
      exitCodes.usage,
    );
  return fromDatabase(url, work);
}

async function imported(
  core: Core,
  workspaceId: string,
  source: OldSource,
  key: FernetKey | undefined,
  { dryRun }: ImportOptions,
): Promise<ImportReport> {
  const { sql, clock, vault } = core;
  try {
    return await importOld(
      { sql, clock, vault, admins: seoParts(core).admins },
      { workspaceId, source, key, dryRun },
    );
  } catch (error) {
    if (error instanceof SourceError || error instanceof WrongKey) throw new UserError(error.message);
    throw error;
  }
}

const tableText = table<TableCount>("Nothing was found.", {
  table: ({ table: name }) => name,
  found: ({ found }) => String(found),
  came: ({ came }) => String(came),
  already: ({ already }) => String(already),
  "left out": ({ left_out }) => String(left_out),
});

function reportText({ dry_run, tables, money, notes }: ImportReport): string {
  const { people, tokens, returned } = money;
  return [
    dry_run ? "Rehearsed; nothing was changed." : "Imported.",
    "",
    tableText(tables),
    "",
    `Money of ${counted(people, "person", "people")}: ${tokens} tokens in all, ${returned} of them returned for drafts that expired.`,
    ...noteLines(notes, "left_out", "Left out:"),
    ...noteLines(notes, "changed", "Changed on the way:"),
    "",
    "Schedules are off: delete the old ones, then run molva seo import-schedules --switch-on.",
  ].join("\n");
}

/** What a long list of alike rows says is said once. */
const shownOfEach = 20;

function noteLines(notes: readonly Note[], kind: Note["kind"], title: string): string[] {
  const those = notes.filter((note) => note.kind === kind);
  if (those.length === 0) return [];
  const lines = those
    .slice(0, shownOfEach)
    .map(
      ({ table: name, id, why, way_out }) =>
        `  ${name} ${id}: ${why}. ${way_out[0]?.toUpperCase()}${way_out.slice(1)}.`,
    );
  const more = those.length - lines.length;
  return ["", title, ...lines, ...(more > 0 ? [`  … and ${more} more: --json lists all.`] : [])];
}

function schedulesText(items: readonly WaitingSchedule[], switchedOn: boolean): string {
  if (switchedOn) return `Switched on ${counted(items.length, "schedule")}.`;
  const list = table<WaitingSchedule>("No imported schedule waits.", {
    id: ({ id }) => String(id),
    person: ({ user_id }) => String(user_id),
    connection: ({ connection_id, ready }) => `${connection_id}${ready ? "" : " (connect it again)"}`,
    "at QStash": ({ old_ids }) => old_ids.join(" "),
  });
  return list(items);
}
