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
  explaining,
  fieldsHelp,
  fromFile,
  inWorkspace,
  jsonIn,
  justifying,
  moment,
  print,
  printDeleted,
  reading,
  refuseTyped,
  rehearsable,
  secretIn,
  shortened,
  shown,
  table,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import {
  addSource,
  changeSource,
  givenItems,
  listSources,
  newSource,
  removeSource,
  runSource,
  type SourceRun,
  type SourceView,
  showSource,
  sourceChanges,
  sourceKinds,
  takeItems,
} from "../admin/index.ts";
import { deliveryParts } from "../parts.ts";

interface SecretOptions extends Common {
  readonly secretFile?: string;
}

const about = { secret: `the Authorization header, or the address of a database: ${fromFile}` };

/** `molva source list|show|add|set|enable|disable|run|ingest|delete`. */
export const addSourceCommand: AddCommand = (program, terminal) => {
  const command = program.command("source").description("feeds, APIs and tables that are asked for posts");

  addList<SourceView>(command, terminal, {
    about: "sources by name",
    page: async ({ sql }, workspaceId, options) => pageOfAll(await listSources(sql, workspaceId), options),
    shown: table("No sources.", {
      name: ({ source_id }) => source_id,
      kind: ({ kind }) => kind,
      state: ({ enabled, failures }) => (enabled ? (failures > 0 ? `failing (${failures})` : "on") : "off"),
      "last success": ({ last_success_at }) => (last_success_at ? moment(last_success_at) : "never"),
      "next run": ({ enabled, next_run_at }) => (enabled ? moment(next_run_at) : ""),
      "last error": ({ last_error }) => (last_error ? shortened(last_error.message, 60) : ""),
    }),
  });

  reading(command, "show", "one source and how its runs go")
    .argument("<source>", "which")
    .action(async (sourceId: string, options: Common) => {
      const source = await administer(terminal, options, ({ sql }, workspaceId) =>
        showSource(sql, { workspaceId, sourceId }),
      );
      if (!source) throw new UserError(`There is no source ${sourceId} in this workspace.`);
      print(terminal, options, source, () => shown(source));
    });

  changing(command, "add", "add a source; its first run comes at once")
    .argument("<source>", "a name for it")
    .argument("<kind>", sourceKinds.join(", "))
    .argument("<field=value...>", 'as in config=\'{"url": "https://example.com/feed.xml"}\'')
    .option("--secret-file <path>", about.secret)
    .addHelpText("after", fieldsHelp(newSource.shape, ["source_id", "kind", "secret"]))
    .action(async (source_id: string, kind: string, typed: string[], options: SecretOptions) => {
      const given = { ...assigned(newSource, typed), ...(await secretOf(typed, options)), source_id, kind };
      const { reason: _, ...fields } = checked(newSource, given);
      const made = await withCore(terminal, options, (core, workspaceId) =>
        addSource(core, workspaceId, fields, byOf(options)),
      );
      print(terminal, options, made, () => shown(made));
    });

  changing(command, "set", "change a source; it is asked anew at once")
    .argument("<source>", "which")
    .argument("[field=value...]", "what to change")
    .option("--secret-file <path>", about.secret)
    .addHelpText("after", fieldsHelp(sourceChanges.shape, ["secret"]))
    .action(async (sourceId: string, typed: string[], options: SecretOptions) => {
      const given = { ...assigned(sourceChanges, typed), ...(await secretOf(typed, options)) };
      const { reason: _, ...fields } = checked(sourceChanges, given);
      const changed = await withCore(terminal, options, (core, workspaceId) =>
        changeSource(core, workspaceId, sourceId, fields, byOf(options)),
      );
      print(terminal, options, changed, () => shown(changed));
    });

  for (const [verb, enabled, does, because] of [
    ["enable", true, "ask it again, beginning now", explaining],
    ["disable", false, "stop asking it", justifying],
  ] as const)
    inWorkspace(because(command.command(verb).description(does)))
      .argument("<source>", "which")
      .action(async (sourceId: string, options: Common) => {
        const changed = await withCore(terminal, options, (core, workspaceId) =>
          changeSource(core, workspaceId, sourceId, { enabled }, byOf(options)),
        );
        print(terminal, options, changed, () => `${sourceId} is ${verb}d.`);
      });

  rehearsable(reading(command, "run", "ask a source at once, due or not"))
    .argument("<source>", "which")
    .action(async (sourceId: string, options: Common) => {
      const report = await withCore(terminal, options, (core, workspaceId) =>
        runSource(deliveryParts(core).pulling, workspaceId, sourceId, { dryRun: options.dryRun }),
      );
      print(terminal, options, report, () => runText(report));
      if (report.outcome === "failed") throw new UserError(`${sourceId} could not be read.`);
    });

  reading(command, "ingest", "hand over items as if the source had listed them")
    .argument("<source>", "which")
    .requiredOption("--file <path>", "a JSON list of posts, oldest first; - reads standard input")
    .action(async (sourceId: string, options: Common & { file: string }) => {
      const { items } = checked(givenItems, { items: await jsonIn(options.file) });
      const report = await withCore(terminal, options, (core, workspaceId) =>
        takeItems(deliveryParts(core).pulling, workspaceId, sourceId, items),
      );
      print(terminal, options, report, () =>
        [
          `Took ${report.processed}: ${report.accepted} posted, ${report.dedup_dropped} known already, `,
          `${report.payload_rejected} refused.`,
        ].join(""),
      );
      if (report.payload_rejected > 0)
        throw new UserError("Some items could not become posts; molva event list --errors says why.");
    });

  deleting(command, "delete a source with its cursor; what it posted stays")
    .argument("<source>", "which")
    .action(async (sourceId: string, options: Common) => {
      await administer(terminal, options, (deps, workspaceId) =>
        removeSource(deps, workspaceId, sourceId, byOf(options), options),
      );
      printDeleted(terminal, options, sourceId);
    });
};

async function secretOf(typed: readonly string[], { secretFile }: SecretOptions) {
  refuseTyped(typed, "secret", "--secret-file");
  const secret = await secretIn(secretFile);
  return secret === undefined ? {} : { secret };
}

function runText(report: SourceRun): string {
  switch (report.outcome) {
    case "done":
      return `Listed ${report.listed}: ${report.stats.accepted} posted, ${report.stats.seen} only remembered, ${report.stats.dropped} dropped.`;
    case "unchanged":
      return "Nothing has changed since the last run.";
    case "interrupted":
      return "The run was broken off; what it had posted stays.";
    case "failed":
      return `${report.failure.code}: ${report.failure.message}`;
    case "preview":
      return [
        `Listed ${report.listed}: would post ${report.items.length} and only remember ${report.seen}; nothing was written.`,
        ...report.items.map(({ item, invalid, renderings }) =>
          [`  ${item.source_ref}`, invalid ? `would be dropped: ${invalid}` : saying(renderings)]
            .join("  ")
            .trimEnd(),
        ),
      ].join("\n");
  }
}

/** The text for the first kind of channel that takes the post; kinds differ little. */
function saying(renderings: Preview["items"][number]["renderings"]): string {
  const taken = Object.values(renderings).find((rendering) => rendering.ok);
  return taken?.ok ? shortened(taken.text, 80) : "";
}

type Preview = Extract<SourceRun, { outcome: "preview" }>;
