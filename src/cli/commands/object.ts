import type { Command } from "commander";
import {
  addObject,
  archiveObject,
  type ConfigChanges,
  changeObject,
  configChanges,
  importedObjects,
  importObjects,
  type Life,
  newObject,
  objectChanges,
  objectLife,
  objectPage,
  objectReadiness,
  type PublishedObject,
  readConfig,
  readObject,
  removeAutopublish,
  type SavedAutopublish,
  saveAutopublish,
} from "../../accounts/index.ts";
import {
  type AccountOptions,
  type AtAccounts,
  idOf,
  idsOf,
  naming,
  switchOf,
  withAccounts,
} from "../account-deps.ts";
import { checked, explaining, inWorkspace, shown, textOf, viewing } from "../administer.ts";
import { assigned } from "../assignments.ts";
import { type AddCommand, print, type Terminal } from "../command.ts";
import { exitCodes, UserError } from "../failure.ts";
import { fieldsHelp } from "../field-help.ts";
import { idTable } from "../id-table.ts";
import { counted, moment, shortened } from "../layout.ts";
import { type Paged, paging, printPage } from "../listing.ts";
import { readinessText } from "./account-diagnosis.ts";
import { historyTable, taskTable } from "./account-queue.ts";

/** `molva object …`: what is published, by whom and where. */
export const addObjectCommand: AddCommand = (program, terminal) => {
  const command = program.command("object").description("what accounts and bots publish: flats, jobs, cars");
  addObjectItself(command, terminal);
  addAutopublish(command, terminal);
  addLife(command, terminal);
};

function addObjectItself(command: Command, terminal: Terminal): void {
  paging(viewing(command.command("list").description("objects, the newest first")), 50)
    .option("--archived", "only archived ones")
    .option("--text <part>", "a part of the title or of the reference")
    .action(async (options: AccountOptions & Paged & { archived?: boolean; text?: string }) => {
      const page = await withAccounts(terminal, options, ({ sql, workspaceId, who }) =>
        objectPage(sql, workspaceId, who, options),
      );
      printPage(terminal, options, page, listed);
    });

  viewing(command.command("show").description("one object and its configuration"))
    .argument("<object>", naming.object)
    .action(async (typed: string, options: AccountOptions) => {
      const found = await withAccounts(terminal, options, async (at) => {
        const id = await idOf(at, "object", typed);
        const object = await readObject(at.sql, at.workspaceId, id, at.who);
        return { object, config: (await readConfig(at.sql, at.workspaceId, id)) ?? null };
      });
      print(terminal, options, found, () =>
        [shown(found.object), found.config ? shown(found.config) : "It has no configuration."].join("\n\n"),
      );
    });

  inWorkspace(explaining(command.command("add").description("add an object")))
    .argument("<title>", "for lists; it is not published")
    .argument("<field=value...>", 'as in texts=\'{"default": "<b>Студия</b>"}\' fields=\'{"price": 62000}\'')
    .option("--owner <login>", "whose it is; admin unless given")
    .addHelpText("after", fieldsHelp(newObject.shape, ["title"]))
    .action(async (title: string, fields: string[], options: AccountOptions) => {
      const given = checked(newObject, { ...assigned(newObject, fields), title });
      const object = await withAccounts(terminal, options, ({ deps, workspaceId, who }) =>
        addObject(deps, workspaceId, given, who),
      );
      print(terminal, options, object, () => shown(object));
    });

  inWorkspace(explaining(command.command("set").description("change an object")))
    .argument("<object>", naming.object)
    .argument("<field=value...>", "what to change")
    .addHelpText("after", fieldsHelp(objectChanges.shape))
    .action(async (typed: string, fields: string[], options: AccountOptions) => {
      const changes = checked(objectChanges, assigned(objectChanges, fields));
      const object = await withAccounts(terminal, options, async (at) =>
        changeObject(at.deps, at.workspaceId, await idOf(at, "object", typed), changes, at.who),
      );
      print(terminal, options, object, () => shown(object));
    });

  inWorkspace(
    explaining(
      command.command("import").description("add and update objects by their external_ref: all, or none"),
    ),
  )
    .argument("<file>", "a JSON list of objects; - reads standard input")
    .option("--owner <login>", "whose the new ones are; admin unless given")
    .action(async (path: string, options: AccountOptions) => {
      const given = checked(importedObjects, { objects: jsonIn(await textOf(path), path) }, path);
      const report = await withAccounts(terminal, options, ({ deps, workspaceId, who }) =>
        importObjects(deps, workspaceId, given, who),
      );
      const { created, updated, unchanged } = report;
      print(
        terminal,
        options,
        report,
        () => `${created} added, ${updated} changed, ${unchanged} as they were.`,
      );
    });

  for (const [verb, archived, about] of [
    ["archive", true, "archive an object and call off what waits of it"],
    ["restore", false, "take an object out of the archive"],
  ] as const)
    inWorkspace(explaining(command.command(verb).description(about)))
      .argument("<object>", naming.object)
      .action(async (typed: string, options: AccountOptions) => {
        const object = await withAccounts(terminal, options, async (at) =>
          archiveObject(at.deps, at.workspaceId, await idOf(at, "object", typed), archived, at.who),
        );
        print(terminal, options, object, () => `${object.title} is ${archived ? "archived" : "back"}.`);
      });
}

interface AutopublishOptions extends AccountOptions {
  readonly account?: readonly string[];
  readonly chat?: readonly string[];
  readonly on?: boolean;
  readonly accounts?: boolean;
  readonly bots?: boolean;
  readonly format?: string;
  readonly remove?: boolean;
}

function addAutopublish(command: Command, terminal: Terminal): void {
  const gather = (typed: string, earlier: readonly string[] = []) => [...earlier, typed];
  inWorkspace(
    explaining(
      command.command("autopublish").description("who publishes an object, and where; takes effect at once"),
    ),
  )
    .argument("<object>", naming.object)
    .option("--account <account>", "publish from it; may be given again", gather)
    .option(
      "--chat <chat>",
      "into it, from each of these accounts; all of an account's chats unless given",
      gather,
    )
    .option("--on <on|off>", "whether the object is published at all", switchOf)
    .option("--accounts <on|off>", "through accounts", switchOf)
    .option("--bots <on|off>", "through bots, to every chat whose filters fit", switchOf)
    .option("--format <format>", "default or compact")
    .option("--remove", "take the configuration away")
    .action(async (typed: string, options: AutopublishOptions) => {
      if (options.remove) {
        const gone = await withAccounts(terminal, options, async (at) =>
          removeAutopublish(at.deps, at.workspaceId, await idOf(at, "object", typed), at.who),
        );
        print(
          terminal,
          options,
          gone,
          () => `The configuration is gone; ${counted(gone.cancelled, "task was", "tasks were")} called off.`,
        );
        return;
      }
      const saved = await withAccounts(terminal, options, async (at) =>
        saveAutopublish(
          at.deps,
          at.workspaceId,
          await idOf(at, "object", typed),
          await changesOf(at, options),
          at.who,
        ),
      );
      print(terminal, options, saved, () => savedText(saved));
    });
}

async function changesOf(at: AtAccounts, options: AutopublishOptions): Promise<ConfigChanges> {
  const { on, bots, format } = options;
  const accounts = await entriesOf(at, options);
  return checked(configChanges, {
    ...(on !== undefined && { enabled: on }),
    ...(options.accounts !== undefined && { accounts_enabled: options.accounts }),
    ...(bots !== undefined && { bot_enabled: bots }),
    ...(format !== undefined && { format }),
    ...(accounts && { accounts }),
  });
}

async function entriesOf(at: AtAccounts, { account, chat }: AutopublishOptions) {
  if (!account) {
    if (chat) throw new UserError("--chat needs --account: whose chats?", exitCodes.usage);
    return undefined;
  }
  const chats = chat && (await idsOf(at, "chat", chat));
  const entries: { account_id: string; chat_ids: string[] }[] = [];
  for (const account_id of await idsOf(at, "account", account))
    entries.push({ account_id, chat_ids: chats ?? (await chatsOf(at, account_id)) });
  return entries;
}

async function chatsOf({ sql, workspaceId }: AtAccounts, accountId: string): Promise<string[]> {
  const rows = await sql<{ chat_id: string }[]>`
    select chat_id from accounts.account_chats
    where workspace_id = ${workspaceId} and account_id = ${accountId} and can_write order by created_at, chat_id`;
  return rows.map(({ chat_id }) => chat_id);
}

function addLife(command: Command, terminal: Terminal): void {
  viewing(command.command("readiness").description("why accounts publish it, or do not"))
    .argument("<object>", naming.object)
    .action(async (typed: string, options: AccountOptions) => {
      const found = await withAccounts(terminal, options, async (at) =>
        objectReadiness(at.sql, at.workspaceId, await idOf(at, "object", typed), at.who),
      );
      print(terminal, options, found, () => readinessText(found));
    });

  viewing(command.command("life").description("configuration, tasks, history, and a verdict"))
    .argument("<object>", naming.object)
    .action(async (typed: string, options: AccountOptions) => {
      const life = await withAccounts(terminal, options, async (at) =>
        objectLife(at.deps, at.workspaceId, await idOf(at, "object", typed), at.who),
      );
      print(terminal, options, life, () => lifeText(life));
    });
}

const listed = idTable<PublishedObject>("No objects.", {
  title: ({ title }) => shortened(title, 50),
  reference: ({ external_ref }) => external_ref ?? "",
  owner: ({ owner }) => owner,
  autopublish: ({ autopublish }) => autopublish,
  published: ({ published }) => String(published),
  next: ({ next_at }) => moment(next_at),
});

function savedText({
  config,
  planned,
  cancelled,
  skipped,
  left,
  later,
  pace,
  bots,
}: SavedAutopublish): string {
  const [first] = planned;
  const last = later.map(({ expected_at }) => expected_at.getTime());
  const until = last.length > 0 ? `, the last about ${moment(new Date(Math.max(...last)))}` : "";
  return [
    shown(config),
    `${counted(planned.length, "task")} planned${first ? `, the first at ${moment(first.scheduled_time)}` : ""}; ${cancelled} called off; ${left} left for the next days${until}.`,
    ...pace.flatMap(({ account, reasons }) => reasons.map(({ en, ru }) => `${account}: ${en}. / ${ru}.`)),
    ...(bots ? [`Through bots: ${counted(bots.chats, "chat")}, at ${moment(bots.at)}.`] : []),
    ...skipped.map(({ en, ru }) => `  left out: ${en} / ${ru}`),
  ].join("\n");
}

function lifeText({ object, readiness, tasks, history, verdict }: Life): string {
  return [
    `${object.title}: ${verdict.en}. / ${verdict.ru}.`,
    readinessText(readiness),
    taskTable(tasks),
    historyTable(history),
  ].join("\n\n");
}

function jsonIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${path} is not JSON: ${why}`, exitCodes.usage);
  }
}
