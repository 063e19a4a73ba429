import { noteAudit, sealAudit, verifyAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import {
  type Inspected,
  inspectStore,
  mostNamed,
  type Rotated,
  rotateStore,
  type SealedDeps,
  type SealedStore,
} from "../../kernel/sealed/index.ts";
import type { Module } from "../../module/index.ts";
import {
  type AddCommand,
  byOf,
  columns,
  commandActor,
  configOf,
  coreFor,
  counted,
  exitCodes,
  print,
  type Terminal,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";
import { createProgress } from "../progress.ts";

interface RotateOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `molva secrets rotate`: everything that is stored encrypted gets the first key, beside running servers. */
export const secretsCommand =
  (modules: readonly Module[]): AddCommand =>
  (program, terminal) => {
    const stores = modules.flatMap(({ sealed = [] }) => sealed);
    program
      .command("secrets")
      .description("what is stored encrypted, and its keys")
      .command("rotate")
      .description(
        "encrypt everything stored again with the first key of MOLVA_ENCRYPTION_KEYS; safe beside servers",
      )
      .option("--dry-run", "change nothing, count what each key opens")
      .option("--json", "one line of JSON")
      .action(async (options: RotateOptions) => {
        await withDatabase(configOf(terminal), (sql, url) =>
          coreFor(terminal, sql, url, (core) =>
            options.dryRun ? count(terminal, options, stores, core) : rotate(terminal, options, stores, core),
          ),
        );
      });
  };

async function count(
  terminal: Terminal,
  options: RotateOptions,
  stores: readonly SealedStore[],
  deps: SealedDeps,
) {
  const found = await eachStore(terminal, options, stores, (store, onPart) =>
    inspectStore(store, deps, { onPart }),
  );
  const { keyIds } = deps.vault;
  const unused = unusedKeys(deps.vault, found);
  const shown = {
    ok: found.every(({ unreadable }) => unreadable === 0),
    keys: keyIds,
    unused,
    stores: found.map(({ store, rows, byKey, unreadable, named }) => ({
      ...{ store, rows, by_key: byKey, unreadable, unreadable_ids: named },
    })),
  };
  print(terminal, options, shown, () =>
    [
      columns(
        ["STORED", "ROWS", ...keyIds.map((id, index) => `KEY ${index + 1} (${id})`), "UNREADABLE"],
        found.map(({ store, rows, byKey, unreadable }) =>
          [store, rows, ...keyIds.map((id) => byKey[id] ?? 0), unreadable].map(String),
        ),
      ),
      ...namedLines(found),
      ...unused.map((id) => `Nothing needs key ${keyIds.indexOf(id) + 1} (${id}) any more.`),
    ].join("\n"),
  );
  refuseUnreadable(found);
}

async function rotate(
  terminal: Terminal,
  options: RotateOptions,
  stores: readonly SealedStore[],
  deps: SealedDeps & { readonly clock: Clock },
) {
  const done = await eachStore(terminal, options, stores, (store, onPart) =>
    rotateStore(store, deps, onPart),
  );
  const left = sum(done.map((store) => store.left));
  await noteRotation(deps, left);
  const shown = {
    ok: left === 0 && done.every(({ unreadable }) => unreadable === 0),
    key: deps.vault.keyIds[0],
    stores: done.map(({ named, ...store }) => ({ ...store, unreadable_ids: named })),
  };
  print(terminal, options, shown, () =>
    [
      columns(
        ["STORED", "ROWS", "ENCRYPTED AGAIN", "LEFT", "UNREADABLE"],
        done.map(({ store, rows, rotated, left, unreadable }) =>
          [store, rows, rotated, left, unreadable].map(String),
        ),
      ),
      ...namedLines(done),
      ...(shown.ok ? [`Everything is encrypted with ${keyTitle(shown.key, 0)}. ${next(deps.vault)}`] : []),
    ].join("\n"),
  );
  if (left > 0)
    throw new UserError(
      `${counted(left, "row")} kept being written with an older key: start every server with the new key first in MOLVA_ENCRYPTION_KEYS, then run this again.`,
    );
  refuseUnreadable(done);
}

/** The audit is sealed with the new key, so that the old one may be removed. */
async function noteRotation({ sql, vault, clock }: SealedDeps & { readonly clock: Clock }, left: number) {
  const now = clock.now();
  const { operator } = byOf({});
  const { ok, acceptedNames } = await verifyAudit(sql, { vault });
  await sql.begin(async (tx) => {
    await noteAudit(
      tx,
      {
        workspaceId: null,
        actor: commandActor(),
        action: "secrets.rotated",
        result: "ok",
        meta: { operator, key: vault.keyIds[0], left },
      },
      now,
    );
    if (ok) await sealAudit(tx, { vault, now }, acceptedNames);
  });
}

function next({ keyIds }: Vault): string {
  return keyIds.length > 1 ? "`molva doctor` says which keys may be removed." : "It is the only key.";
}

/** Not on standard output if that is for a machine. */
async function eachStore<Result>(
  terminal: Terminal,
  { json }: RotateOptions,
  stores: readonly SealedStore[],
  work: (store: SealedStore, onPart: (rows: number) => void) => Promise<Result>,
): Promise<Result[]> {
  const progress = json ? undefined : createProgress(terminal);
  const results: Result[] = [];
  try {
    for (const store of stores) {
      progress?.step(store.name);
      let told = 0;
      const onPart = (rows: number) => {
        if (rows < told + rowsPerLine) return;
        told = rows;
        progress?.step(`${store.name}: ${rows}`);
      };
      results.push(await work(store, onPart));
    }
  } finally {
    progress?.done();
  }
  return results;
}

const rowsPerLine = 5_000;

/** Keys that open nothing and are not needed to write either. */
export function unusedKeys({ keyIds }: Vault, found: readonly Inspected[]): string[] {
  return keyIds.slice(1).filter((id) => found.every(({ byKey }) => (byKey[id] ?? 0) === 0));
}

const keyTitle = (id: string, index: number) => `key ${index + 1} (${id})`;

function namedLines(found: readonly Pick<Inspected | Rotated, "store" | "named" | "unreadable">[]): string[] {
  return found.flatMap(({ store, named, unreadable }) => [
    ...named.map((id) => `unreadable: ${store}: ${id}`),
    ...(unreadable > mostNamed ? [`unreadable: ${store}: and ${unreadable - mostNamed} more`] : []),
  ]);
}

function refuseUnreadable(found: readonly Pick<Rotated, "unreadable">[]): void {
  const unreadable = sum(found.map((store) => store.unreadable));
  if (unreadable > 0)
    throw new UserError(
      `No key opens ${counted(unreadable, "row")}; they stay as they are. Add the key that was removed to the end of MOLVA_ENCRYPTION_KEYS and run this again; \`molva doctor\` says what to do if it is lost.`,
      exitCodes.failed,
    );
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
