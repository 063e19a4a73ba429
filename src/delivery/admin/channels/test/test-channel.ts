import type { HttpClient } from "../../../../kernel/outbound/index.ts";
import {
  type ChannelCheck,
  type CheckFinding,
  type CheckStep,
  isPlatformName,
  type Platforms,
} from "../../../../platforms/index.ts";
import type { Credentials } from "../../../credentials.ts";
import type { AdminDeps } from "../../deps.ts";
import { readChannel } from "../read.ts";
import type { Channel } from "../shape.ts";
import type { ChannelTest } from "./shape.ts";
import { summaryFor, wordsFor } from "./words.ts";

export interface ChannelTestDeps extends AdminDeps {
  readonly platforms: Platforms;
  readonly credentials: Credentials;
  /** The client that reaches providers, not the one for addresses from posts. */
  readonly providers: HttpClient;
}

export type Step = CheckStep["step"];
export type Finding = CheckFinding | "no_credential";

/** Asks the messenger whether the channel's bot may post, and says what to do where it may not. Nothing is posted. */
export async function testChannel(
  deps: ChannelTestDeps,
  workspaceId: string,
  channelId: string,
): Promise<ChannelTest> {
  const channel = await readChannel(deps.sql, workspaceId, channelId, deps.clock.now());
  const { channel_id, platform, target_id, state, auth_ref } = channel;
  if (!isPlatformName(platform))
    throw new Error(`the channel is on a platform that is not here: ${platform}`);
  const { ok, steps } = await checkOf(deps, workspaceId, { ...channel, platform });
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
  const [binding] = await sql<{ secret_ref: string }[]>`
    select secret_ref from delivery.credential_bindings
    where workspace_id = ${workspaceId} and auth_ref = ${auth_ref} and platform = ${platform}`;
  const token = binding && (await credentials.token(workspaceId, binding.secret_ref));
  if (!token) return { ok: false, steps: [{ step: "token", finding: "no_credential" }] };
  return platforms.platformOf(platform).check({
    channel: { platform, targetId, sendMode, settings },
    token,
    http: providers,
    clock,
  });
}
