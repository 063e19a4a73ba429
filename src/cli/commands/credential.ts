import {
  type Credential,
  credentialPage,
  keySchema,
  platformSchema,
  type StoredCredential,
  setCredential,
} from "../../delivery/index.ts";
import { deleteCredential, environmentName, providerToken, requireBound } from "../../workspaces/index.ts";
import { administer, byOf, type Common, checked, explaining, inWorkspace } from "../administer.ts";
import { type AddCommand, print, type Terminal } from "../command.ts";
import { deleting, printDeleted } from "../deletion.ts";
import { exitCodes, UserError } from "../failure.ts";
import { counted, moment, table } from "../layout.ts";
import { addList } from "../listing.ts";
import { fromFile, secretInOrAsked } from "../secret-input.ts";
import { withCore } from "../with-core.ts";

interface SetOptions extends Common {
  readonly tokenFile?: string;
  readonly env?: string;
  readonly resume?: boolean;
}

/** `molva credential list|set|delete`. */
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

  inWorkspace(explaining(command.command("set").description("store a token, or say which variable holds it")))
    .argument("<platform>", "whose token it is")
    .argument("<auth_ref>", "the name that channels use for it")
    .option("--token-file <path>", `${fromFile}; asked for when left out`)
    .option("--env <NAME>", "a variable of every server process that holds it")
    .option("--resume", "resume channels that were stopped because they refused posts")
    .action(async (name: string, authRef: string, options: SetOptions) => {
      const credentialKey = keyOf(name, authRef);
      const value = await givenValue(terminal, options);
      const credential = await withCore(terminal, options, (core, workspaceId) => {
        if ("environment" in value) requireBound(core.variables, workspaceId, value.environment);
        return setCredential(core, workspaceId, credentialKey, value, byOf(options), options);
      });
      print(terminal, options, credential, () => storedText(`${name}/${authRef}`, credential));
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

/** What is done, and what is left to do for the channels that the old token has stopped. */
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

const recoverHint = (name: string) =>
  `To send what failed meanwhile: molva delivery recover --credential ${name} --since 1d --reason "…"`;

function keyOf(platform: string, authRef: string) {
  return {
    platform: checked(platformSchema, platform, "platform"),
    auth_ref: checked(keySchema, authRef, "auth_ref"),
  };
}

async function givenValue(terminal: Terminal, { tokenFile, env }: SetOptions) {
  if (tokenFile !== undefined && env !== undefined)
    throw new UserError("Give one of --token-file and --env.", exitCodes.usage);
  if (env !== undefined) return { environment: checked(environmentName, env, "--env") };
  const token = await secretInOrAsked(terminal, tokenFile, "Token: ");
  if (!token) throw new UserError("No token was given: --token-file or --env.", exitCodes.usage);
  return { token: checked(providerToken, token, "the token") };
}
