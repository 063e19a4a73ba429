import { z } from "zod";
import {
  addList,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  deleting,
  fieldsHelp,
  fromFile,
  jsonIn,
  type Paged,
  print,
  printDeleted,
  reading,
  shown,
  table,
  UserError,
} from "../../terminal/index.ts";
import { connectPlatform, reconnectPlatform, removeConnection } from "../connections/connect.ts";
import { checkConnection, connectionPage, readConnection } from "../connections/connections.ts";
import { newConnection, type SeoConnection } from "../connections/shape.ts";
import { changeSiteMetadata, siteMetadataChanges } from "../connections/site-metadata.ts";
import type { OfProject } from "./category.ts";
import { asPerson, type ForPerson, forPerson, idIn, withSeo } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface AccountOptions extends ForPerson {
  readonly fieldsFile: string;
}

interface AddOptions extends OfProject, AccountOptions {
  readonly target?: string;
  readonly shared?: boolean;
}

const accountFile = ["--fields-file <path>", `the account's fields as JSON: ${fromFile}`] as const;

/** `molva seo connection list|show|add|check|reconnect|set|delete`. */
export const addConnections: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("connection").description("sites and networks that a project publishes to");
  addList<SeoConnection, OfProject & Paged>(command, terminal, {
    about: "the connections of a project, the newest first",
    choosing: (list) => forPerson(list).requiredOption("--project <id>", "the project's number", idIn),
    page: ({ sql }, workspaceId, options) =>
      connectionPage(sql, { workspaceId, userId: options.user }, options.project, options),
    shown: table("No connections.", {
      id: ({ id }) => String(id),
      platform: ({ platform_type }) => platform_type,
      place: ({ identifier }) => identifier,
      title: ({ title }) => title ?? "",
      status: ({ status }) => status,
    }),
  });
  forPerson(reading(command, "show", "one connection"))
    .argument("<connection>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const connection = await asPerson(terminal, options, ({ sql }, whose) =>
        readConnection(sql, whose, id),
      );
      print(terminal, options, connection, () => shown(connection));
    });
  forPerson(changing(command, "add", "connect a project; the platform is asked first"))
    .argument("<platform>", "wordpress, telegram, vk or pinterest")
    .requiredOption("--project <id>", "the project's number", idIn)
    .requiredOption(...accountFile)
    .option("--target <place>", "the channel, the community or the board; a site is in its account already")
    .option("--shared", "although another project of this person is connected to it")
    .action(async (platform: string, options: AddOptions) => {
      const { target, shared = false } = options;
      const given = checked(newConnection, {
        ...{ platform_type: platform, fields: await fieldsIn(options.fieldsFile), shared },
        ...(target !== undefined && { target }),
      });
      const connection = await withSeo(terminal, options, (deps, whose) =>
        connectPlatform(deps, whose, options.project, given, byOf(options)),
      );
      print(terminal, options, connection, () =>
        [
          connectedText(connection),
          ...(connection.platform_type === "wordpress"
            ? [
                `Colours, speed and pages of the site are read meanwhile: molva seo connection show ${connection.id} --user ${options.user}`,
              ]
            : []),
        ].join("\n"),
      );
    });
  forPerson(reading(command, "check", "ask the platform whether it may publish; nothing is posted"))
    .argument("<connection>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const check = await withSeo(terminal, options, (deps, whose) => checkConnection(deps, whose, id));
      print(terminal, options, check, () => check.en);
      if (!check.ok) throw new UserError("The connection does not work.");
    });
  forPerson(changing(command, "reconnect", "give it another account, and take it up again"))
    .argument("<connection>", "its number", idIn)
    .requiredOption(...accountFile)
    .action(async (id: number, options: AccountOptions) => {
      const fields = await fieldsIn(options.fieldsFile);
      const connection = await withSeo(terminal, options, (deps, whose) =>
        reconnectPlatform(deps, whose, id, fields, byOf(options)),
      );
      print(terminal, options, connection, () => connectedText(connection));
    });
  forPerson(
    changing(
      command,
      "set",
      "change how a WordPress site publishes: labels, links, robots, type of schema.org",
    ),
  )
    .argument("<connection>", "its number", idIn)
    .argument("<fields...>", "field=value; field=null clears it")
    .addHelpText("after", fieldsHelp(siteMetadataChanges.shape))
    .action(async (id: number, typed: string[], options: ForPerson) => {
      const changes = checked(siteMetadataChanges, assigned(siteMetadataChanges, typed));
      const connection = await asPerson(terminal, options, (deps, whose) =>
        changeSiteMetadata(deps, whose, id, changes, byOf(options)),
      );
      print(terminal, options, connection, () => shown(connection.metadata));
    });
  forPerson(deleting(command, "remove a connection; what was published stays"))
    .argument("<connection>", "its number", idIn)
    .action(async (id: number, options: ForPerson & Common) => {
      const { dryRun = false } = options;
      await withSeo(terminal, options, (deps, whose) => removeConnection(deps, whose, id, { dryRun }));
      printDeleted(terminal, options, String(id), `the connection ${id}`);
    });
};

async function fieldsIn(path: string): Promise<Record<string, string>> {
  return checked(z.record(z.string(), z.string()), await jsonIn(path), path);
}

const connectedText = ({ id, platform_type, title, identifier }: SeoConnection) =>
  `The connection ${id} works: ${platform_type}, ${title ?? identifier}.`;
