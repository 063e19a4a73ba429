import { createReadStream } from "node:fs";
import { type Command, Option } from "commander";
import {
  type AuditRow,
  acceptFindings,
  type ExportFormat,
  exportAudit,
  exportFormats,
  installationChain,
  noteAudit,
  sealAgeNotice,
  type Verdict,
  verifyAudit,
  verifyExport,
} from "../../audit/index.ts";
import { openVault } from "../../configured/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import {
  type AddCommand,
  byOf,
  type Common,
  clockOf,
  commandActor,
  configOf,
  counted,
  exitCodes,
  inWords,
  justifying,
  moment,
  momentOf,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  type Terminal,
  table,
  UserError,
  withDatabase,
  workspaceOf,
} from "../../terminal/index.ts";
import { auditPage } from "../../workspaces/index.ts";

interface ListOptions extends Paged {
  readonly action?: string;
  readonly actor?: string;
  readonly since?: Date;
  readonly until?: Date;
}

/** `molva audit list|export|verify|seal`: who signed in, changed something or read personal data. */
export const addAudit: AddCommand = (program, terminal) => {
  const command = program
    .command("audit")
    .description("who signed in, changed something or read personal data");

  ofChain(paging(printing(command.command("list").description("entries, newest first"))))
    .option("--action <name>", "such as signin.refused or config_changed")
    .option("--actor <id>", "the id of an operator or a token, or a kind such as command")
    .option("--since <time>", "only newer than this: 30m, 2h, 1d, or a time", momentOf)
    .option("--until <time>", "only older than this, written the same way", momentOf)
    .action(async ({ workspace, ...options }: ListOptions) => {
      const page = await withDatabase(configOf(terminal), (sql) =>
        inWords(async () => auditPage(sql, { ...options, chainId: await chainOf(sql, workspace) })),
      );
      printPage(terminal, options, page, listed);
    });

  ofChain(
    command.command("export").description("print everything, signed; `molva audit verify <file>` checks it"),
  )
    .addOption(
      new Option("--format <format>", "csv is for a spreadsheet and cannot be verified")
        .choices(exportFormats)
        .default("jsonl"),
    )
    .action(({ workspace, format }: Common & { format: ExportFormat }) =>
      exported(terminal, workspace, format),
    );

  ofChain(printing(command.command("verify").description("check that nothing was changed or removed")))
    .argument("[file]", "an export to check instead of the database")
    .action(async (file: string | undefined, options: Common) => {
      const verdict = await (file === undefined ? verified(terminal, options) : verifiedFile(terminal, file));
      const { acceptedNames: _, notice, ...shown } = { acceptedNames: [], notice: undefined, ...verdict };
      print(terminal, options, shown, () => inSentences(verdict, file));
      if (notice) terminal.err(notice);
      if (!verdict.ok) throw new UserError(failure(file), exitCodes.failed);
    });

  justifying(
    command
      .command("seal")
      .description(
        "sign the ends of the chains now, and accept the findings that `molva audit verify` shows",
      ),
  ).action(async (options: Common) => {
    const by = byOf(options);
    const config = configOf(terminal);
    const vault = await openVault(config);
    const accepted = await withDatabase(config, async (sql) => {
      const now = (await clockOf(config, sql)).now();
      const { findings, acceptedNames } = await verifyAudit(sql, { vault });
      await acceptFindings(
        sql,
        { vault, now },
        { findings, accepted: acceptedNames },
        { actor: commandActor(), operator: by.operator, reason: by.reason ?? "" },
      );
      return findings;
    });
    print(terminal, options, { ok: true, accepted }, () =>
      ["Sealed.", ...accepted.map(({ says }) => `accepted: ${says}`)].join("\n"),
    );
  });
};

const ofChain = (command: Command) =>
  command.option(
    "--workspace <name>",
    "of one workspace, by id or name, or `installation`; all unless given",
  );

/** A deleted workspace has no name any more, but its audit is still kept under its id. */
async function chainOf(sql: Sql, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  if (named === "installation") return installationChain;
  const kept = await sql`select from audit.chains where chain_id::text = ${named.toLowerCase()}`;
  return kept.length > 0 ? named.toLowerCase() : workspaceOf(sql, named);
}

async function exported(
  terminal: Terminal,
  workspace: string | undefined,
  format: ExportFormat,
): Promise<void> {
  const config = configOf(terminal);
  const vault = await openVault(config);
  await withDatabase(config, async (sql) => {
    const clock = await clockOf(config, sql);
    const chainId = await chainOf(sql, workspace);
    const workspaceId = chainId === undefined || chainId === installationChain ? null : chainId;
    const { operator } = byOf({});
    await noteAudit(
      sql,
      {
        workspaceId,
        actor: commandActor(),
        action: "audit.exported",
        result: "ok",
        meta: { operator, format },
      },
      clock.now(),
    );
    // The terminal ends each text with a line feed.
    for await (const part of exportAudit({ sql, vault, clock }, format, chainId))
      terminal.out(part.slice(0, -1));
  });
}

async function verified(terminal: Terminal, { workspace }: Common) {
  const config = configOf(terminal);
  const vault = await openVault(config);
  return withDatabase(config, async (sql) => {
    const verdict = await verifyAudit(sql, { vault }, { chainId: await chainOf(sql, workspace) });
    const now = (await clockOf(config, sql)).now();
    return { ...verdict, notice: sealAgeNotice(verdict.sealed_at, now) };
  });
}

async function verifiedFile(terminal: Terminal, file: string): Promise<Verdict> {
  const vault = await openVault(configOf(terminal));
  try {
    return await verifyExport(createReadStream(file), vault);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new UserError(`${file} cannot be read: ${messageOf(error)}`, exitCodes.usage);
  }
}

function inSentences(
  { ok, entries, chains, sealed_at, accepted, findings }: Verdict,
  file: string | undefined,
): string {
  const checked = `${counted(entries, "entry", "entries")} in ${counted(chains, "chain")}`;
  const sealed =
    sealed_at === null ? "not sealed yet" : `${file === undefined ? "sealed" : "exported"} ${sealed_at}`;
  return [
    ...(ok ? [`Whole and unchanged: ${checked}, ${sealed}.`] : [`Checked ${checked}, ${sealed}.`]),
    ...(accepted > 0 ? [`${counted(accepted, "finding")} accepted before.`] : []),
    ...findings.map(({ finding, says }) => `✗ ${finding}: ${says}`),
  ].join("\n");
}

function failure(file: string | undefined): string {
  return file === undefined
    ? "The audit was changed. Find out by whom and keep a copy of the database; `molva audit seal` accepts what cannot be mended."
    : "This is not what was exported.";
}

const listed = table<AuditRow>("No entries.", {
  at: ({ at }) => moment(at),
  seq: ({ seq }) => String(seq),
  workspace: ({ workspace_id }) => workspace_id ?? "installation",
  actor: ({ actor }) => (actor.id === null ? actor.kind : `${actor.kind} ${actor.id}`),
  action: ({ action, result }) => (result === "ok" ? action : `${action} (refused)`),
  subject: ({ subject }) => (subject ? `${subject.kind} ${subject.id}` : "–"),
  address: ({ address }) => address ?? "–",
});
