import type { ChannelCheck, CheckFinding, CheckStep, SendError } from "../../../../platforms/index.ts";
import type { Channel } from "../channel-shape.ts";
import { keepChatFound } from "../chat-found.ts";
import { credentialOf, type MessengerDeps } from "../find-chat.ts";
import { readChannel } from "../read-channels.ts";
import type { ChannelTest } from "./channel-test-shape.ts";
import { summaryFor, wordsFor } from "./channel-test-words.ts";

export type ChannelTestDeps = MessengerDeps;

export type Step = CheckStep["step"];
export type Finding = CheckFinding | "no_credential";

/** Asks the messenger whether the channel's bot may post, and says what to do if it may not. Nothing is posted. */
export async function testChannel(
  deps: ChannelTestDeps,
  workspaceId: string,
  channelId: string,
): Promise<ChannelTest> {
  const channel = await readChannel(deps.sql, workspaceId, channelId, deps.clock.now());
  const { channel_id, platform, state, auth_ref } = channel;
  const { words } = deps.platforms.definitionOf(platform);
  const { ok, steps } = await checkOf(deps, workspaceId, channel);
  if (ok && channel.connection?.state === "error")
    await deps.sql`select delivery.connection_works(${workspaceId}, ${channelId}, 'test', ${deps.clock.now()})`;
  // Read again: the test may have found the chat's id.
  const { target_id } = await readChannel(deps.sql, workspaceId, channelId, deps.clock.now());
  const facts = { auth_ref, platform, target: target_id, channel: target_id };
  const summary = { en: summaryFor("en", ok, state, facts), ru: summaryFor("ru", ok, state, facts) };
  return {
    channel_id,
    platform,
    target_id,
    state,
    ok,
    summary,
    steps: steps.map(({ step, finding, facts: found, said }) => {
      const known = { ...facts, ...found, ...(said && { said }) };
      return {
        step,
        finding,
        en: wordsFor("en", step, finding, words.en, known),
        ru: wordsFor("ru", step, finding, words.ru, known),
        ...(said && { said }),
      };
    }),
  };
}

interface Checked extends Omit<ChannelCheck, "steps"> {
  readonly steps: readonly (Omit<CheckStep, "finding"> & { readonly finding: Finding })[];
}

async function checkOf(
  { sql, platforms, credentials, providers, clock }: ChannelTestDeps,
  workspaceId: string,
  channel: Channel,
): Promise<Checked> {
  const { platform, target_id: targetId, send_mode: sendMode, settings, auth_ref } = channel;
  const read = await credentialOf({ sql, credentials }, workspaceId, { platform, auth_ref });
  if (read.kind === "absent") return { ok: false, steps: [{ step: "token", finding: "no_credential" }] };
  if (read.kind === "failed") return { ok: false, steps: [unusable(read.error)] };
  const { credential } = read;
  const adapter = platforms.platformOf(platform);
  const asking = { channel: { platform, targetId, sendMode, settings }, credential, http: providers, clock };
  const checked = await adapter.check(asking);
  const found = checked.ok ? await adapter.resolve?.(asking) : undefined;
  if (found?.kind !== "found") return checked;
  const key = { workspace_id: workspaceId, channel_id: channel.channel_id };
  const kept = await keepChatFound(sql, key, found, clock.now());
  if (!kept || "target" in kept) return checked;
  const same: CheckStep = { step: "chat", finding: "same_chat", facts: { other: kept.takenBy } };
  return { ok: false, steps: [...checked.steps, same] };
}

/** A stored credential that cannot be used: its fields are wrong, or its provider does not renew it any more. */
function unusable({ category, message }: SendError): CheckStep {
  return {
    step: "token",
    finding: category === "TRANSIENT" ? "unreachable" : "token_refused",
    said: message,
  };
}
