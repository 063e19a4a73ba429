import type { Command } from "commander";
import {
  addPolicy,
  changePolicy,
  listPolicies,
  newPolicy,
  type PolicyView,
  policyChange,
  readPolicy,
  removePolicy,
  tryOut,
  tryOutBody,
} from "../../llm/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import {
  byOf,
  type Common,
  checked,
  explaining,
  inWorkspace,
  justifying,
  shown,
  viewing,
} from "../administer.ts";
import { assigned } from "../assignments.ts";
import { print, type Terminal } from "../command.ts";
import { exitCodes, UserError } from "../failure.ts";
import { fieldsHelp } from "../field-help.ts";
import { counted, facts, table } from "../layout.ts";
import { type Paged, paging, printPage } from "../listing.ts";
import { withGateway } from "../llm-deps.ts";

/** `molva llm policy list|show|add|set|delete|try`. */
export function addLlmPolicy(parent: Command, terminal: Terminal): void {
  const command = parent.command("policy").description("which model answers for what");

  paging(viewing(command.command("list").description("policies by name"))).action(async (options: Paged) => {
    const page = await withGateway(terminal, options, async ({ sql }, workspaceId) =>
      pageOfAll(await listPolicies(sql, workspaceId), options),
    );
    printPage(terminal, options, page, policyTable);
  });

  viewing(command.command("show").description("everything of one policy"))
    .argument("<policy>", "its name")
    .action(async (key: string, options: Common) => {
      const policy = await withGateway(terminal, options, ({ sql }, workspaceId) =>
        readPolicy(sql, workspaceId, key),
      );
      print(terminal, options, policy, () => shown(policy));
    });

  inWorkspace(explaining(command.command("add").description("add a policy")))
    .argument("<policy>", "its name")
    .argument("<field=value...>", "provider, model, max_tokens, timeout_ms and the rest")
    .addHelpText("after", fieldsHelp(newPolicy.shape, ["key"]))
    .action(async (key: string, typed: string[], options: Common) => {
      const policy = checked(newPolicy, { ...assigned(newPolicy, typed), key });
      const made = await withGateway(terminal, options, (deps, workspaceId) =>
        addPolicy(deps, workspaceId, policy, byOf(options)),
      );
      print(terminal, options, made, () => shown(made));
    });

  inWorkspace(explaining(command.command("set").description("change a policy, from the next call on")))
    .argument("<policy>", "its name")
    .argument("<field=value...>", "what to change, such as model=openai/gpt-4o-mini or enabled=false")
    .addHelpText("after", fieldsHelp(policyChange.shape))
    .action(async (key: string, typed: string[], options: Common) => {
      const { reason: _, ...change } = checked(policyChange, assigned(policyChange, typed));
      const changed = await withGateway(terminal, options, (deps, workspaceId) =>
        changePolicy(deps, workspaceId, key, change, byOf(options)),
      );
      print(terminal, options, changed, () => shown(changed));
    });

  inWorkspace(
    justifying(
      command
        .command("delete")
        .description("delete a policy; one of the release comes back, so switch that off"),
    ),
  )
    .argument("<policy>", "its name")
    .action(async (key: string, options: Common) => {
      await withGateway(terminal, options, (deps, workspaceId) =>
        removePolicy(deps, workspaceId, key, byOf(options)),
      );
      print(terminal, options, { deleted: key }, () => `Deleted ${key}.`);
    });

  viewing(command.command("try").description("ask a model by a policy; it costs what a call costs"))
    .argument("<policy>", "its name")
    .argument("[text]", "what to ask")
    .option("--user <id>", "on whose behalf, to see this person's caps at work")
    .action(async (key: string, text: string | undefined, options: Common & { user?: string }) => {
      const body = checked(tryOutBody, {
        ...(text && { text }),
        ...(options.user && { user_id: options.user }),
      });
      const result = await withGateway(terminal, options, async ({ sql, gateway }, workspaceId) => {
        await readPolicy(sql, workspaceId, key);
        return tryOut(gateway, workspaceId, key, body);
      });
      print(terminal, options, result, () =>
        [
          result.text ?? `${result.error?.code}: ${result.error?.message}`,
          "",
          facts([
            ["model", `${result.provider} ${result.model}${result.fallback_used ? " (a fallback)" : ""}`],
            ["tokens", `${result.prompt_tokens} in, ${result.completion_tokens} out`],
            ["cost", result.cost_usd === null ? "unknown: the model has no price" : `$${result.cost_usd}`],
            ["time", `${result.latency_ms} ms in ${counted(result.requests, "request")}`],
          ]),
        ].join("\n"),
      );
      if (!result.ok) throw new UserError("No answer; see above.", exitCodes.failed);
    });
}

const policyTable = table<PolicyView>("No policies.", {
  policy: ({ key }) => key,
  state: ({ enabled }) => (enabled ? "on" : "off"),
  provider: ({ provider }) => provider,
  model: ({ model }) => model,
  tokens: ({ max_tokens }) => String(max_tokens),
  fallbacks: ({ fallbacks }) => fallbacks.map((each) => each.model).join(", "),
});
