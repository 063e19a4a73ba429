import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { addAccountCommand } from "../../accounts/commands/account.ts";
import { addObjectCommand } from "../../accounts/commands/object.ts";
import { recordsIn } from "../../accounts/testing/records.ts";
import { addAdvisor } from "../../advisor/commands/advisor.ts";
import { addAlert } from "../../delivery/commands/alert.ts";
import { addChannelCommand } from "../../delivery/commands/channel.ts";
import { addCredentialCommand } from "../../delivery/commands/credential.ts";
import { addDelivery } from "../../delivery/commands/delivery.ts";
import { addEndpointCommand } from "../../delivery/commands/endpoint.ts";
import { addEvent } from "../../delivery/commands/event.ts";
import { addLimitCommand } from "../../delivery/commands/limit.ts";
import { addMessage } from "../../delivery/commands/message.ts";
import { addSourceCommand } from "../../delivery/commands/source.ts";
import { addTemplateCommand } from "../../delivery/commands/template.ts";
import { aDelivery } from "../../delivery/deliveries/testing/a-delivery.ts";
import { aChannel, aWorkspace } from "../../delivery/testing/builders.ts";
import { addLlm } from "../../llm/commands/llm.ts";
import { addBotCommand } from "../../shopbot/commands/bot.ts";
import { cliHarness } from "../testing/cli-harness.ts";
import { addAudit } from "./audit.ts";
import { addToken } from "./token.ts";
import { addWorkspaceCommand } from "./workspace.ts";

const harness = cliHarness({
  home: tempFolder("cli-lists"),
  openDatabase: testDatabase,
  commands: {
    account: addAccountCommand,
    advisor: addAdvisor,
    alert: addAlert,
    audit: addAudit,
    bot: addBotCommand,
    channel: addChannelCommand,
    credential: addCredentialCommand,
    delivery: addDelivery,
    endpoint: addEndpointCommand,
    event: addEvent,
    limit: addLimitCommand,
    llm: addLlm,
    message: addMessage,
    object: addObjectCommand,
    source: addSourceCommand,
    template: addTemplateCommand,
    token: addToken,
    workspace: addWorkspaceCommand,
  },
});
const { molva, json } = harness;

/** Three things of each kind. */
async function fill(): Promise<void> {
  const records = recordsIn(harness.sql, harness.workspace);
  for (const name of ["a", "b", "c"]) {
    await aWorkspace(harness.sql);
    const channel = await aChannel(harness.sql, harness.workspace);
    await aDelivery(harness.sql, harness.workspace, channel);
    await molva("endpoint", "add", name);
    await molva("limit", "set", "telegram", name, "1");
    await molva("token", "add", `${harness.workspace} ${name}`);
    await molva("alert", "target", "add", "email", `to=${name}@example.com`);
    await records.link(await records.anAccount(), await records.aChat());
    await records.anObject();
    await molva("llm", "budget", "set", "user", "day", "usd", "1", "--subject", name);
  }
}

const lists = [
  ["channel", "list"],
  ["delivery", "list"],
  ["message", "list"],
  ["event", "list"],
  ["endpoint", "list"],
  ["limit", "list"],
  ["token", "list"],
  ["audit", "list"],
  ["alert", "target", "list"],
  ["workspace", "list"],
  ["account", "list"],
  ["account", "chat", "list"],
  ["account", "status"],
  ["object", "list"],
  ["llm", "policy", "list"],
  ["llm", "price", "list"],
  ["llm", "prompt", "list"],
  ["llm", "budget", "list"],
];

it("every list goes on where the page before ended", async () => {
  await fill();
  for (const line of lists) {
    const named = line.join(" ");
    const whole = await json(...line);
    expect(whole.items.length, named).toBeGreaterThan(2);
    expect(whole.next, named).toBeNull();
    const first = await json(...line, "--limit", "1");
    expect(first.items, named).toEqual(whole.items.slice(0, 1));
    const rest = await json(...line, "--after", first.next);
    expect([...first.items, ...rest.items], named).toEqual(whole.items);
    const { out } = await molva(...line, "--limit", "1");
    expect(out.split("\n").at(-1), named).toBe(`More: --after ${first.next}`);
  }
});

it.each([
  "account",
  "account chat",
  "account chats-list",
  "account join",
  "advisor plan",
  "alert",
  "audit",
  "bot dialogue",
  "bot rule",
  "channel",
  "credential",
  "delivery",
  "endpoint",
  "event",
  "limit",
  "llm budget",
  "llm policy",
  "llm price",
  "llm prompt",
  "message",
  "object",
  "source",
  "template",
  "token",
  "workspace",
])("%s list --after refuses what no page gave, in words", async (what) => {
  const { code, err } = await molva(...what.split(" "), "list", "--after", "me");
  expect(err).toContain("Give the `next` of the page before.");
  expect(code).toBe(2);
});
