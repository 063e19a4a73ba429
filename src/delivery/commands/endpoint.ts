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
  only,
  type Paged,
  print,
  printDeleted,
  reading,
  refuseTyped,
  secretIn,
  shown,
  table,
} from "../../terminal/index.ts";
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  type Endpoint,
  endpointChanges,
  endpointPage,
  endpointSecret,
  newEndpoint,
  rotateEndpoint,
} from "../admin/index.ts";

interface SecretOptions extends Common {
  readonly secretFile?: string;
}

const ownSecret = "a file that holds a secret of your own, - reads standard input; else one is made";

/** What a person may type for an endpoint. */
const naming = "its name, its id or the beginning of it";

/** `molva endpoint list|show|add|set|rotate|disable|enable|delete`. */
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
      state: ({ enabled }) => stateOf(enabled),
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
    .addHelpText("after", fieldsHelp(newEndpoint.shape, ["name", "secret"]))
    .action(async (name: string, typed: string[], options: SecretOptions) => {
      refuseTyped(typed, "secret", "--secret-file");
      const secret = await secretIn(options.secretFile);
      const given = { ...assigned(newEndpoint, typed), name, ...(secret !== undefined && { secret }) };
      const { reason: _, ...fields } = checked(newEndpoint, given);
      const made = await administer(terminal, options, (deps, workspaceId) =>
        addEndpoint(deps, workspaceId, fields, byOf(options)),
      );
      print(terminal, options, made, () => withSecret(made));
    });

  inWorkspace(
    justifying(command.command("rotate").description("another secret; the old one stops working at once")),
  )
    .argument("<endpoint>", naming)
    .option("--secret-file <path>", ownSecret)
    .action(async (typed: string, options: SecretOptions) => {
      const given = await secretIn(options.secretFile);
      const secret = given === undefined ? undefined : checked(endpointSecret, given, "the secret");
      const made = await administer(terminal, options, async (deps, workspaceId) => {
        const { endpoint_id } = await endpointCalled(deps.sql, workspaceId, typed);
        return rotateEndpoint(deps, workspaceId, endpoint_id, secret, byOf(options));
      });
      print(terminal, options, made, () => withSecret(made));
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
    named.filter(({ enabled }) => enabled),
    named,
    all.filter(({ endpoint_id }) => endpoint_id.startsWith(typed.toLowerCase())),
  ].find((candidates) => candidates.length > 0);
  return only("endpoint", typed, found ?? [], endpointName);
}

function endpointName({ endpoint_id, kind, enabled, name, source_id }: Endpoint): string {
  return `${endpoint_id}  ${name ?? source_id ?? "(no name)"} (${kind}, ${stateOf(enabled)})`;
}

function stateOf(enabled: boolean): string {
  return enabled ? "open" : "closed";
}

function withSecret({ name, endpoint_id, secret }: Endpoint & { secret: string }): string {
  return `${name ?? "The endpoint"} (${endpoint_id}) opens with this secret, which is not shown again:\n${secret}`;
}
