import type { Command } from "commander";
import { systemClock } from "../../kernel/clock/index.ts";
import {
  budgetCap,
  budgetKey,
  type ForAll,
  installationKey,
  listBudgets,
  listInstallationCaps,
  removeBudget,
  removeInstallationCap,
  setBudget,
  setInstallationCap,
} from "../../llm/index.ts";
import { type AdminDeps, listWorkspaces } from "../../workspaces/index.ts";
import { byOf, type Common, checked, explaining, inWorkspace, justifying, viewing } from "../administer.ts";
import { configOf, print, type Terminal } from "../command.ts";
import { withDatabase } from "../database.ts";
import { UserError } from "../failure.ts";
import { columns } from "../layout.ts";
import { withGateway } from "../llm-deps.ts";

/** All workspaces together; only whoever runs the server may cap them. */
const installation = "installation";

interface KeyOptions extends Common {
  readonly subject?: string;
}

/** `molva llm budget list|set|delete`. */
export function addLlmBudget(parent: Command, terminal: Terminal): void {
  const command = parent.command("budget").description("what models may cost at most");

  viewing(command.command("list").description("caps, with what counts against each now")).action(
    async (options: Common) => {
      const items = await withGateway(terminal, options, async ({ sql, clock }, workspaceId) => [
        ...(await listInstallationCaps(sql, clock.now())).map((cap) => ({
          ...{ scope: installation, subject: "*" },
          ...cap,
        })),
        ...(await listBudgets(sql, workspaceId, clock.now())),
      ]);
      print(terminal, options, { items }, () =>
        items.length === 0
          ? "No caps."
          : columns(
              ["SCOPE", "SUBJECT", "PERIOD", "UNIT", "CAP", "USED"],
              items.map(({ scope, subject, period, unit, cap, used }) => [
                scope,
                isOne(scope) ? "" : subject === "*" ? "each" : subject,
                period,
                unit,
                String(cap),
                used === null ? "–" : String(used),
              ]),
            ),
      );
    },
  );

  /** A change for all workspaces, which needs none in particular. */
  const forAll = <T>(options: Common, change: (deps: AdminDeps, all: ForAll) => Promise<T>): Promise<T> =>
    withDatabase(configOf(terminal), async (sql) =>
      change({ sql, clock: systemClock }, { workspaces: await listWorkspaces(sql), by: byOf(options) }),
    );

  const named = (each: Command) =>
    inWorkspace(each)
      .argument("<scope>", "installation (all workspaces together), workspace, user or policy")
      .argument("<period>", "day or month, in UTC")
      .argument("<unit>", "usd, tokens or calls")
      .option("--subject <name>", "one user or policy; each of them for itself unless given");

  named(explaining(command.command("set").description("set a cap")))
    .argument("<cap>", "how much at most")
    .action(async (scope: string, period: string, unit: string, typed: string, options: KeyOptions) => {
      const { cap } = checked(budgetCap, { cap: Number(typed) });
      if (scope === installation) {
        const every = checked(installationKey, { period, unit });
        await forAll(options, (deps, all) => setInstallationCap(deps, every, cap, all));
        print(terminal, options, { scope, ...every, cap }, () =>
          atMost({ scope, subject: "*", ...every, cap }),
        );
        return;
      }
      const key = checked(budgetKey, keyOf(scope, period, unit, options));
      const set = await withGateway(terminal, options, (deps, workspaceId) =>
        setBudget(deps, workspaceId, key, cap, byOf(options)),
      );
      print(terminal, options, set, () => atMost(set));
    });

  named(justifying(command.command("delete").description("lift a cap"))).action(
    async (scope: string, period: string, unit: string, options: KeyOptions) => {
      if (scope === installation) {
        const every = checked(installationKey, { period, unit });
        const gone = await forAll(options, (deps, all) => removeInstallationCap(deps, every, all));
        if (!gone) throw new UserError(`There is no such cap: installation, ${unit} a ${period}.`);
        print(terminal, options, { deleted: { scope, ...every } }, () =>
          lifted({ scope, subject: "*", ...every }),
        );
        return;
      }
      const key = checked(budgetKey, keyOf(scope, period, unit, options));
      await withGateway(terminal, options, (deps, workspaceId) =>
        removeBudget(deps, workspaceId, key, byOf(options)),
      );
      print(terminal, options, { deleted: key }, () => lifted(key));
    },
  );
}

function keyOf(scope: string, period: string, unit: string, { subject = "*" }: KeyOptions) {
  return { scope, subject, period, unit };
}

interface Named {
  readonly scope: string;
  readonly subject: string;
  readonly period: string;
  readonly unit: string;
}

const atMost = (named: Named & { readonly cap: number }) =>
  `At most ${named.cap} ${named.unit} a ${named.period} for ${nameOf(named)}.`;
const lifted = (named: Named) => `Lifted the cap of ${named.unit} a ${named.period} for ${nameOf(named)}.`;

/** Of these there is only one, so they need no subject. */
const isOne = (scope: string) => scope === installation || scope === "workspace";

function nameOf({ scope, subject }: Pick<Named, "scope" | "subject">): string {
  if (isOne(scope)) return `the ${scope}`;
  return subject === "*" ? `each ${scope}` : `${scope} ${subject}`;
}
