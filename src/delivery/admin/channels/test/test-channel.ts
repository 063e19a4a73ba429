import {
  type ChannelCheck,
  type CheckFinding,
  type CheckStep,
  isPlatformName,
  type Platforms,
} from "../../../../platforms/index.ts";
import { keepChatFound } from "../chat-found.ts";
import { type MessengerDeps, tokenOf } from "../find-chat.ts";
import { readChannel } from "../read.ts";
import type { Channel } from "../shape.ts";
import type { ChannelTest } from "./shape.ts";
import { summaryFor, wordsFor } from "./words.ts";

export type ChannelTestDeps = MessengerDeps;

export type Step = CheckStep["step"];
export type Finding = CheckFinding | "no_credential";

/** Asks the messenger whether the channel's bot may post, and says what to do where it may not. Nothing is posted. */
export async function testChannel(
  deps: ChannelTestDeps,
  workspaceId: string,
  channelId: string,
): Promise<ChannelTest> {
  const channel = await readChannel(deps.sql, workspaceId, channelId, deps.clock.now());
  const { channel_id, platform, state, auth_ref } = channel;
  if (!isPlatformName(platform))
    throw new Error(`the channel is on a platform that is not here: ${platform}`);
  const { ok, steps } = await checkOf(deps, workspaceId, { ...channel, platform });
  // The test may have found the chat's number.
  const { target_id } = await readChannel(deps.sql, workspaceId, channelId, deps.clock.now());
  const facts = { auth_ref, target: target_id, channel: target_id };
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
        en: wordsFor("en", step, finding, platform, known),
        ru: wordsFor("ru", step, finding, platform, known),
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
  channel: Channel & { platform: Parameters<Platforms["platformOf"]>[0] },
): Promise<Checked> {
  const { platform, target_id: targetId, send_mode: sendMode, settings, auth_ref } = channel;
  const token = await tokenOf({ sql, credentials }, workspaceId, { platform, auth_ref });
  if (!token) return { ok: false, steps: [{ step: "token", finding: "no_credential" }] };
  const adapter = platforms.platformOf(platform);
  const asking = { channel: { platform, targetId, sendMode, settings }, token, http: providers, clock };
  const checked = await adapter.check(asking);
  const found = checked.ok ? await adapter.resolve?.(asking) : undefined;
  if (found?.kind !== "found") return checked;
  const key = { workspace_id: workspaceId, channel_id: channel.channel_id };
  const kept = await keepChatFound(sql, key, found, clock.now());
  if (!kept || "target" in kept) return checked;
  const same: CheckStep = { step: "chat", finding: "same_chat", facts: { other: kept.takenBy } };
  return { ok: false, steps: [...checked.steps, same] };
}
