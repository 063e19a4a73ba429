import type { Command } from "commander";
import {
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  counted,
  exitCodes,
  facts,
  fieldsHelp,
  inWorkspace,
  justifying,
  type Paged,
  paging,
  print,
  printPage,
  reading,
  shown,
  type Terminal,
  table,
  UserError,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { addPolicy, changePolicy, listPolicies, readPolicy, removePolicy } from "../policies/policies.ts";
import { newPolicy, type PolicyView, policyChange } from "../policies/policy-shape.ts";
import { trialBody, tryPolicy } from "../try-policy.ts";
import { withGateway } from "./with-gateway.ts";

/** `molva llm policy list|show|add|set|delete|try`. */
export function addLlmPolicy(parent: Command, terminal: Terminal): void {
  const command = parent.command("policy").description("which model answers for what");

  paging(reading(command, "list", "policies by name")).action(async (options: Paged) => {
    const page = await withGateway(terminal, options, async ({ sql }, workspaceId) =>
      pageOfAll(await listPolicies(sql, workspaceId), options),
    );
    printPage(terminal, options, page, policyTable);
  });

  reading(command, "show", "one policy with all its fields")
    .argument("<policy>", "its name")
    .action(async (key: string, options: Common) => {
      const policy = await withGateway(terminal, options, ({ sql }, workspaceId) =>
        readPolicy(sql, workspaceId, key),
      );
      print(terminal, options, policy, () => shown(policy));
    });

  changing(command, "add", "add a policy")
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

  changing(command, "set", "change a policy, from the next call on")
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

  reading(command, "try", "ask a model with a policy; costs as much as a call")
    .argument("<policy>", "its name")
    .argument("[text]", "what to ask")
    .option("--user <id>", "the user to charge, to test the caps of this user")
    .action(async (key: string, text: string | undefined, options: Common & { user?: string }) => {
      const body = checked(trialBody, {
        ...(text && { text }),
        ...(options.user && { user_id: options.user }),
      });
      const result = await withGateway(terminal, options, async ({ sql, gateway }, workspaceId) => {
        await readPolicy(sql, workspaceId, key);
        return tryPolicy(gateway, workspaceId, key, body);
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
