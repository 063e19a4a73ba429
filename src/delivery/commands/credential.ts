import { z } from "zod";
import {
  definitionOf,
  onlyField,
  type PlatformDefinition,
  platformDefinitions,
} from "../../platforms/index.ts";
import {
  type AddCommand,
  addList,
  administer,
  byOf,
  type Common,
  changing,
  checked,
  counted,
  deleting,
  exitCodes,
  fromFile,
  inWords,
  moment,
  print,
  printDeleted,
  reading,
  secretInOrAsked,
  type Terminal,
  table,
  textOf,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import { deleteCredential, environmentName, providerToken, requireBound } from "../../workspaces/index.ts";
import {
  type Credential,
  credentialPage,
  type GivenCredential,
  keySchema,
  type ListedPlace,
  listPlaces,
  platformSchema,
  type StoredCredential,
  secretOf,
  setCredential,
} from "../admin/index.ts";
import { beginCredentialConsent, type ConsentLink } from "../consent/index.ts";

interface SetOptions extends Common {
  readonly tokenFile?: string;
  readonly fieldsFile?: string;
  readonly env?: string;
  readonly resume?: boolean;
}

/** `molva credential list|set|connect|places|delete`. */
export const addCredentialCommand: AddCommand = (program, terminal) => {
  const command = program
    .command("credential")
    .description("tokens that channels send with; stored encrypted, never shown");

  addList<Credential>(command, terminal, {
    about: "stored tokens by name, and how many channels send with each",
    page: (deps, workspaceId, options) => credentialPage(deps, workspaceId, options),
    shown: table("No credentials.", {
      platform: ({ platform }) => platform,
      name: ({ auth_ref }) => auth_ref,
      "kept in": ({ kept_in }) => kept_in,
      channels: ({ channels }) => String(channels),
      stopped: ({ stopped_channels }) => String(stopped_channels),
      rotated: ({ rotated_at }) => (rotated_at ? moment(rotated_at) : "never"),
    }),
  });

  changing(command, "set", "store a token, or say which variable holds it")
    .argument("<platform>", "whose token it is")
    .argument("<auth_ref>", "the name that channels use for it")
    .option("--token-file <path>", `${fromFile}; asked for when left out`)
    .option("--fields-file <path>", `JSON with the fields of the account; ${fromFile}`)
    .option("--env <NAME>", "a variable of every server process that holds it, or the fields as JSON")
    .option("--resume", "resume channels that were stopped because they refused posts")
    .addHelpText("after", fieldsHelp)
    .action(async (name: string, authRef: string, options: SetOptions) => {
      const credentialKey = keyOf(name, authRef);
      const value = await givenValue(terminal, options, definitionOf(credentialKey.platform));
      const credential = await withCore(terminal, options, (core, workspaceId) => {
        if ("environment" in value) requireBound(core.variables, workspaceId, value.environment);
        return setCredential(core, workspaceId, credentialKey, value, byOf(options), options);
      });
      print(terminal, options, credential, () => storedText(`${name}/${authRef}`, credential));
    });

  changing(command, "connect", "make a link by which a person gives access to an account in the browser")
    .argument("<platform>", "whose account it is")
    .argument("<auth_ref>", "the name that channels use for it")
    .action(async (name: string, authRef: string, options: Common) => {
      const credentialKey = keyOf(name, authRef);
      const link = await withCore(terminal, options, (core, workspaceId) =>
        beginCredentialConsent(core, workspaceId, credentialKey, byOf(options)),
      );
      const shown = { ...credentialKey, url: link.url, expires_at: link.expiresAt };
      print(terminal, options, shown, () => linkText(name, authRef, link));
    });

  reading(command, "places", "where the account of a credential may post")
    .argument("<platform>", "whose account it is")
    .argument("<auth_ref>", "the name that channels use for it")
    .action(async (name: string, authRef: string, options: Common) => {
      const credentialKey = keyOf(name, authRef);
      const places = await withCore(terminal, options, (core, workspaceId) =>
        listPlaces({ ...core, providers: core.http }, workspaceId, credentialKey),
      );
      print(terminal, options, { items: places }, () => placesText(places));
    });

  deleting(command, "forget a token that no channel uses")
    .argument("<platform>", "whose token it is")
    .argument("<auth_ref>", "the name that channels used for it")
    .action(async (name: string, authRef: string, options: Common) => {
      const credentialKey = keyOf(name, authRef);
      await administer(terminal, options, (deps, workspaceId) =>
        deleteCredential(deps, workspaceId, credentialKey, byOf(options), options),
      );
      printDeleted(terminal, options, `${name}/${authRef}`);
    });
};

/** What was done, and what is left to do for channels that stopped because of the old token. */
function storedText(
  name: string,
  { rotated_at, channels, stopped_channels, resumed_channels }: StoredCredential,
): string {
  const users = counted(channels, "channel sends", "channels send");
  return [
    rotated_at ? `Replaced ${name}; ${users} with it.` : `Stored ${name}.`,
    ...(resumed_channels > 0
      ? [`Resumed ${counted(resumed_channels, "channel")} that had refused posts.`, recoverHint(name)]
      : []),
    ...(stopped_channels > 0
      ? [
          `${counted(stopped_channels, "of them was", "of them were")} stopped after refusing posts; repeat this with --resume, or use molva channel resume.`,
          recoverHint(name),
        ]
      : []),
  ].join("\n");
}

function linkText(name: string, authRef: string, { url, expiresAt }: ConsentLink): string {
  return [
    "Open this link in the browser in which the account is signed in, and give access:",
    `  ${url}`,
    `It is good until ${moment(expiresAt)}. Then: molva credential places ${name} ${authRef}`,
  ].join("\n");
}

const placesText = table<ListedPlace>("The account may post nowhere yet.", {
  target: ({ target_id }) => target_id,
  title: ({ title }) => title,
  members: ({ members }) => (members === null ? "" : String(members)),
});

const recoverHint = (name: string) =>
  `To send what failed meanwhile: molva delivery recover --credential ${name} --since 1d --reason "…"`;

function keyOf(platform: string, authRef: string) {
  return {
    platform: checked(platformSchema, platform, "platform"),
    auth_ref: checked(keySchema, authRef, "auth_ref"),
  };
}

/** The fields of a credential, by platform. */
function fieldsHelp(): string {
  const lines = platformDefinitions.flatMap(({ name, credential }) =>
    Object.entries(credential.fields).map(
      ([field, { about, optional }]) => `  ${name}  ${field}${optional ? " (optional)" : ""}: ${about}`,
    ),
  );
  return `\nFields:\n${lines.join("\n")}`;
}

async function givenValue(
  terminal: Terminal,
  { tokenFile, fieldsFile, env }: SetOptions,
  definition: PlatformDefinition,
) {
  const names = Object.keys(definition.credential.fields).join(", ");
  if ([tokenFile, fieldsFile, env].filter((given) => given !== undefined).length > 1)
    throw new UserError("Give one of --token-file, --fields-file and --env.", exitCodes.usage);
  if (env !== undefined) {
    if (definition.credential.expiresAt)
      throw new UserError(
        `A ${definition.name} credential is renewed by the server, which cannot write variables: give --fields-file.`,
        exitCodes.usage,
      );
    return { environment: checked(environmentName, env, "--env") };
  }
  const secret = (given: GivenCredential) => inWords(() => secretOf(definition, given), exitCodes.usage);
  if (fieldsFile !== undefined)
    return { token: await secret({ fields: fieldsIn(await textOf(fieldsFile)) }) };
  if (!onlyField(definition.credential))
    throw new UserError(
      `${definition.name} asks for more than a token: --fields-file with ${names}.`,
      exitCodes.usage,
    );
  const token = await secretInOrAsked(terminal, tokenFile, "Token: ");
  if (!token) throw new UserError("No token was given: --token-file or --env.", exitCodes.usage);
  return { token: await secret({ token: checked(providerToken, token, "the token") }) };
}

function fieldsIn(text: string): Record<string, unknown> {
  const fields = z.record(z.string(), z.unknown()).safeParse(parsedJson(text));
  // The file holds secrets: its content must not be in the message.
  if (!fields.success) throw new UserError("The file holds no JSON object of fields.", exitCodes.usage);
  return fields.data;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
