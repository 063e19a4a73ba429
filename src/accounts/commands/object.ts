import type { Command } from "commander";
import {
  type AddCommand,
  assigned,
  changing,
  checked,
  counted,
  exitCodes,
  explaining,
  fieldsHelp,
  idTable,
  inWorkspace,
  jsonIn,
  moment,
  type Paged,
  reading,
  shortened,
  shown,
  type Terminal,
  UserError,
} from "../../terminal/index.ts";
import { removeAutopublish, type SavedAutopublish, saveAutopublish } from "../admin/autopublish.ts";
import { type ConfigChanges, configChanges } from "../config/config-schema.ts";
import { readConfig } from "../config/save-config.ts";
import { archiveObject } from "../objects/archive-object.ts";
import { importedObjects, newObject, objectChanges, type PublishedObject } from "../objects/object-schema.ts";
import { addObject, changeObject, importObjects, objectPage, readObject } from "../objects/objects.ts";
import { type Life, objectLife } from "../read/object-life.ts";
import { objectReadiness } from "../read/readiness.ts";
import { readinessText } from "./account-diagnosis.ts";
import { historyTable, taskTable } from "./account-queue.ts";
import {
  type AccountOptions,
  type AtAccounts,
  accountCommands,
  idOf,
  idsOf,
  naming,
  switchOf,
} from "./with-accounts.ts";

/** `molva object …`: what is published, by whom and where. */
export const addObjectCommand: AddCommand = (program, terminal) => {
  const command = program.command("object").description("what accounts and bots publish: flats, jobs, cars");
  addObjectItself(command, terminal);
  addAutopublish(command, terminal);
  addLife(command, terminal);
};

function addObjectItself(command: Command, terminal: Terminal): void {
  const { run, one, change, list } = accountCommands(terminal);

  list(
    reading(command, "list", "objects, the newest first")
      .option("--archived", "only archived ones")
      .option("--text <part>", "a part of the title or of the reference"),
    50,
    ({ sql, workspaceId, who }, options: AccountOptions & Paged & { archived?: boolean; text?: string }) =>
      objectPage(sql, workspaceId, who, options),
    listed,
  );
  one(
    reading(command, "show", "one object and its configuration"),
    "object",
    async ({ sql, workspaceId, who }, id) => ({
      object: await readObject(sql, workspaceId, id, who),
      config: (await readConfig(sql, workspaceId, id)) ?? null,
    }),
    ({ object, config }) => [shown(object), config ? shown(config) : "It has no configuration."].join("\n\n"),
  );

  changing(command, "add", "add an object")
    .argument("<title>", "for lists; it is not published")
    .argument("<field=value...>", 'as in texts=\'{"default": "<b>Студия</b>"}\' fields=\'{"price": 62000}\'')
    .option("--owner <login>", "whose it is; admin unless given")
    .addHelpText("after", fieldsHelp(newObject.shape, ["title"]))
    .action((title: string, fields: string[], options: AccountOptions) => {
      const given = checked(newObject, { ...assigned(newObject, fields), title });
      return run(options, ({ deps, workspaceId, who }) => addObject(deps, workspaceId, given, who), shown);
    });

  change(
    changing(command, "set", "change an object"),
    "object",
    { schema: objectChanges, about: "what to change" },
    ({ deps, workspaceId, who }, id, changes) => changeObject(deps, workspaceId, id, changes, who),
  );

  changing(command, "import", "add and update objects by their external_ref: all, or none")
    .argument("<file>", "a JSON list of objects; - reads standard input")
    .option("--owner <login>", "whose the new ones are; admin unless given")
    .action(async (path: string, options: AccountOptions) => {
      const given = checked(importedObjects, { objects: await jsonIn(path) }, path);
      await run(
        options,
        ({ deps, workspaceId, who }) => importObjects(deps, workspaceId, given, who),
        ({ created, updated, unchanged }) =>
          `${created} added, ${updated} changed, ${unchanged} as they were.`,
      );
    });

  for (const [verb, archived, about] of [
    ["archive", true, "archive an object and call off what waits of it"],
    ["restore", false, "take an object out of the archive"],
  ] as const)
    one(
      inWorkspace(explaining(command.command(verb).description(about))),
      "object",
      ({ deps, workspaceId, who }, id) => archiveObject(deps, workspaceId, id, archived, who),
      ({ title }) => `${title} is ${archived ? "archived" : "back"}.`,
    );
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
  const { run } = accountCommands(terminal);
  const gather = (typed: string, earlier: readonly string[] = []) => [...earlier, typed];
  changing(command, "autopublish", "who publishes an object, and where; takes effect at once")
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
    .action((typed: string, options: AutopublishOptions) =>
      options.remove
        ? run(
            options,
            async (at) => removeAutopublish(at.deps, at.workspaceId, await idOf(at, "object", typed), at.who),
            ({ cancelled }) =>
              `The configuration is gone; ${counted(cancelled, "task was", "tasks were")} called off.`,
          )
        : run(
            options,
            async (at) => {
              const id = await idOf(at, "object", typed);
              return saveAutopublish(at.deps, at.workspaceId, id, await changesOf(at, options), at.who);
            },
            savedText,
          ),
    );
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
  const { one } = accountCommands(terminal);
  one(
    reading(command, "readiness", "why accounts publish it, or do not"),
    "object",
    ({ sql, workspaceId, who }, id) => objectReadiness(sql, workspaceId, id, who),
    readinessText,
  );
  one(
    reading(command, "life", "configuration, tasks, history, and a verdict"),
    "object",
    ({ deps, workspaceId, who }, id) => objectLife(deps, workspaceId, id, who),
    lifeText,
  );
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
