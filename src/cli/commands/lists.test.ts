import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { aDelivery } from "../../delivery/deliveries/testing/a-delivery.ts";
import { aChannel, aWorkspace } from "../../delivery/testing/builders.ts";
import { cliStand } from "../testing/cli-stand.ts";
import { addAlert } from "./alert.ts";
import { addChannelCommand } from "./channel.ts";
import { addCredentialCommand } from "./credential.ts";
import { addDelivery } from "./delivery.ts";
import { addEndpointCommand } from "./endpoint.ts";
import { addEvent } from "./event.ts";
import { addLimitCommand } from "./limit.ts";
import { addMessage } from "./message.ts";
import { addSourceCommand } from "./source.ts";
import { addTemplateCommand } from "./template.ts";
import { addToken } from "./token.ts";
import { addWorkspaceCommand } from "./workspace.ts";

const stand = cliStand({
  home: tempFolder("cli-lists"),
  openDatabase: testDatabase,
  commands: {
    alert: addAlert,
    channel: addChannelCommand,
    credential: addCredentialCommand,
    delivery: addDelivery,
    endpoint: addEndpointCommand,
    event: addEvent,
    limit: addLimitCommand,
    message: addMessage,
    source: addSourceCommand,
    template: addTemplateCommand,
    token: addToken,
    workspace: addWorkspaceCommand,
  },
});
const { molva, json } = stand;

/** Three things of each kind. */
async function fill(): Promise<void> {
  for (const name of ["a", "b", "c"]) {
    await aWorkspace(stand.sql);
    const channel = await aChannel(stand.sql, stand.workspace);
    await aDelivery(stand.sql, stand.workspace, channel);
    await molva("endpoint", "add", name);
    await molva("limit", "set", "telegram", name, "1");
    await molva("token", "add", `${stand.workspace} ${name}`);
    await molva("alert", "target", "add", "email", `to=${name}@example.com`);
  }
}

it.each([
  ["channel", "list"],
  ["delivery", "list"],
  ["message", "list"],
  ["event", "list"],
  ["endpoint", "list"],
  ["limit", "list"],
  ["token", "list"],
  ["alert", "target", "list"],
  ["workspace", "list"],
])("%s %s %s goes on where the page before ended", async (...words) => {
  const line = words.filter(Boolean);
  await fill();
  const whole = await json(...line);
  expect(whole.items.length).toBeGreaterThan(2);
  expect(whole.next).toBeNull();
  const first = await json(...line, "--limit", "1");
  expect(first.items).toEqual(whole.items.slice(0, 1));
  const rest = await json(...line, "--after", first.next);
  expect([...first.items, ...rest.items]).toEqual(whole.items);
  expect((await molva(...line, "--limit", "1")).out.split("\n").at(-1)).toBe(`More: --after ${first.next}`);
});

it.each([
  "alert",
  "channel",
  "credential",
  "delivery",
  "endpoint",
  "event",
  "limit",
  "message",
  "source",
  "template",
  "token",
  "workspace",
])("%s list --after refuses what no page gave, in words", async (what) => {
  const { code, err } = await molva(what, "list", "--after", "me");
  expect(err).toContain("Give the `next` of the page before.");
  expect(code).toBe(2);
});
