import type { Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  addList,
  administer,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  deleting,
  fieldsHelp,
  inWorkspace,
  justifying,
  moment,
  only,
  type Paged,
  print,
  printDeleted,
  reading,
  refuseTyped,
  secretIn,
  shown,
  table,
  withCore,
} from "../../terminal/index.ts";
import {
  addEndpoint,
  addSigning,
  changeEndpoint,
  deleteEndpoint,
  type Endpoint,
  type EndpointWithSecret,
  endpointChanges,
  endpointPage,
  endpointSecret,
  newEndpoint,
  rotateEndpoint,
} from "../admin/index.ts";
import { overlap, signingSecret } from "../signatures/signing-secret.ts";
import { overlapOf } from "./overlap.ts";

interface SecretOptions extends Common {
  readonly secretFile?: string;
  readonly signingSecretFile?: string;
}

const ownSecret = "a file that holds a secret of your own, - reads standard input; else one is made";

const ownSigningSecret =
  "a file that holds a signing secret of your own, whsec_…; - reads standard input; else one is made";

/** What a person may type for an endpoint. */
const naming = "its name, its id or the beginning of it";

/** `molva endpoint list|show|add|set|sign|rotate|disable|enable|delete`. */
export const addEndpointCommand: AddCommand = (program, terminal) => {
  const command = program.command("endpoint").description("doors through which posts come in");

  addList<Endpoint, Paged & { all?: boolean }>(command, terminal, {
    about: "endpoints, oldest first",
    choosing: (list) => list.option("--all", "disabled ones too"),
    page: ({ sql }, workspaceId, { all, limit, after }) =>
      endpointPage(sql, workspaceId, { limit, after, enabled: all ? undefined : true }),
    shown: table("No endpoints.", {
      id: ({ endpoint_id }) => endpoint_id,
      kind: ({ kind }) => kind,
      state: stateOf,
      opens: ({ kind, mode }) => (kind === "pull_source" ? "" : mode),
      "per second": ({ ingress_rps }) => (ingress_rps > 0 ? String(ingress_rps) : "no limit"),
      name: ({ name, source_id }) => name ?? source_id ?? "",
    }),
  });

  reading(command, "show", "one endpoint; never its secret")
    .argument("<endpoint>", naming)
    .action(async (typed: string, options: Common) => {
      const endpoint = await administer(terminal, options, ({ sql }, workspaceId) =>
        endpointCalled(sql, workspaceId, typed),
      );
      print(terminal, options, endpoint, () => shown(endpoint));
    });

  changing(command, "set", "change an endpoint")
    .argument("<endpoint>", naming)
    .argument("<field=value...>", "what to change")
    .addHelpText("after", fieldsHelp(endpointChanges.shape))
    .action(async (typed: string, given: string[], options: Common) => {
      const { reason: _, ...fields } = checked(endpointChanges, assigned(endpointChanges, given));
      const changed = await administer(terminal, options, async (deps, workspaceId) => {
        const { endpoint_id } = await endpointCalled(deps.sql, workspaceId, typed);
        return changeEndpoint(deps, workspaceId, endpoint_id, fields, byOf(options));
      });
      print(terminal, options, changed, () => shown(changed));
    });

  changing(command, "add", "open a door; its secret is shown once")
    .argument("<name>", "a name for whoever posts through it, such as site")
    .argument("[field=value...]", "the rest")
    .option("--secret-file <path>", ownSecret)
    .option("--signing-secret-file <path>", ownSigningSecret)
    .addHelpText("after", fieldsHelp(newEndpoint.shape, ["name", "secret", "signing_secret"]))
    .action(async (name: string, typed: string[], options: SecretOptions) => {
      refuseTyped(typed, "secret", "--secret-file");
      refuseTyped(typed, "signing_secret", "--signing-secret-file");
      const given = { ...assigned(newEndpoint, typed), name, ...(await secretsIn(options)) };
      const { reason: _, ...fields } = checked(newEndpoint, given);
      const made = await withCore(terminal, options, (core, workspaceId) =>
        addEndpoint(core, workspaceId, fields, byOf(options)),
      );
      print(terminal, options, made, () => withSecrets(made));
    });

  inWorkspace(
    justifying(
      command
        .command("sign")
        .description(
          "let a door take signed posts; its signing secret is shown once, its other secret stays",
        ),
    ),
  )
    .argument("<endpoint>", naming)
    .option("--only", "take nothing but signed posts from now on")
    .option("--signing-secret-file <path>", ownSigningSecret)
    .action(async (typed: string, options: SecretOptions & { only?: boolean }) => {
      const secrets = await secretsIn(options);
      const mode = options.only ? "signature" : "either";
      const made = await withCore(terminal, options, async (core, workspaceId) => {
        const { endpoint_id } = await endpointCalled(core.sql, workspaceId, typed);
        return addSigning(core, workspaceId, endpoint_id, { ...secrets, mode }, byOf(options));
      });
      print(terminal, options, made, () => withSecrets(made));
    });

  inWorkspace(
    justifying(command.command("rotate").description("other secrets; the old ones work on for a while")),
  )
    .argument("<endpoint>", naming)
    .option("--secret-file <path>", ownSecret)
    .option("--signing-secret-file <path>", ownSigningSecret)
    .option(
      "--overlap <time>",
      "how long the old secrets work on, as in 24h; 0: they end at once",
      overlapOf,
      overlap.usualSeconds,
    )
    .action(async (typed: string, options: SecretOptions & { overlap: number }) => {
      const rotation = { ...(await secretsIn(options)), overlap_seconds: options.overlap };
      const { made, old } = await withCore(terminal, options, async (core, workspaceId) => {
        const { endpoint_id } = await endpointCalled(core.sql, workspaceId, typed);
        return {
          made: await rotateEndpoint(core, workspaceId, endpoint_id, rotation, byOf(options)),
          old: endpoint_id,
        };
      });
      print(terminal, options, made, () =>
        [withSecrets(made), ...(options.overlap > 0 ? [endingEarly(old)] : [])].join("\n"),
      );
    });

  for (const [verb, enabled, about] of [
    ["disable", false, "close a door: its secret opens nothing"],
    ["enable", true, "open a closed door with the secret it had"],
  ] as const)
    inWorkspace(justifying(command.command(verb).description(about)))
      .argument("<endpoint>", naming)
      .action(async (typed: string, options: Common) => {
        const changed = await administer(terminal, options, async (deps, workspaceId) => {
          const { endpoint_id } = await endpointCalled(deps.sql, workspaceId, typed);
          return changeEndpoint(deps, workspaceId, endpoint_id, { enabled }, byOf(options));
        });
        print(terminal, options, changed, () => `${changed.name ?? changed.endpoint_id} is ${verb}d.`);
      });

  deleting(command, "delete a closed door; what came through it stays")
    .argument("<endpoint>", naming)
    .action(async (typed: string, options: Common) => {
      const found = await administer(terminal, options, async (deps, workspaceId) => {
        const endpoint = await endpointCalled(deps.sql, workspaceId, typed);
        await deleteEndpoint(deps, workspaceId, endpoint.endpoint_id, byOf(options), options);
        return endpoint;
      });
      printDeleted(terminal, options, found.endpoint_id, endpointName(found));
    });
};

/** A rotation keeps the name, so of several endpoints with one name the enabled one is meant. */
async function endpointCalled(sql: Sql, workspaceId: string, typed: string): Promise<Endpoint> {
  const { items: all } = await endpointPage(sql, workspaceId, { limit: 10_000 });
  const named = all.filter(({ name }) => name === typed);
  const found = [
    all.filter(({ endpoint_id }) => endpoint_id === typed),
    named.filter(({ enabled, replaced_by }) => enabled && !replaced_by),
    named,
    all.filter(({ endpoint_id }) => endpoint_id.startsWith(typed.toLowerCase())),
  ].find((candidates) => candidates.length > 0);
  return only("endpoint", typed, found ?? [], endpointName);
}

function endpointName(endpoint: Endpoint): string {
  const { endpoint_id, kind, name, source_id } = endpoint;
  return `${endpoint_id}  ${name ?? source_id ?? "(no name)"} (${kind}, ${stateOf(endpoint)})`;
}

/** An old secret that still works says until when, and whether anybody needs it. */
function stateOf({ enabled, ends_at, last_used_at }: Endpoint): string {
  if (!enabled) return "closed";
  if (!ends_at) return "open";
  const used = last_used_at ? `last used ${moment(last_used_at)}` : "not used since";
  return `old secret until ${moment(ends_at)}, ${used}`;
}

async function secretsIn({ secretFile, signingSecretFile }: SecretOptions) {
  const [secret, signing] = [await secretIn(secretFile), await secretIn(signingSecretFile)];
  return {
    ...(secret !== undefined && { secret: checked(endpointSecret, secret, "the secret") }),
    ...(signing !== undefined && { signing_secret: checked(signingSecret, signing, "the signing secret") }),
  };
}

function endingEarly(endpointId: string): string {
  return [
    "The old secrets work on for now; molva endpoint list says whether anybody uses them.",
    `End them early: molva endpoint disable ${endpointId} --reason "everybody has the new one"`,
  ].join("\n");
}

function withSecrets({ name, endpoint_id, address, secret, signing_secret }: EndpointWithSecret): string {
  return [
    `${name ?? "The endpoint"} (${endpoint_id}). What follows is not shown again.`,
    ...(secret ? [`Posts to /api/v1/ingest open it with this secret:\n${secret}`] : []),
    ...(signing_secret
      ? [`Posts to /api/v1/ingest/${address} are signed with this secret:\n${signing_secret}`]
      : []),
  ].join("\n");
}
