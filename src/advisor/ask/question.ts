import { limits } from "../advisor-limits.ts";
import { isRecord } from "../subject/pet-profile.ts";
import type { Profile, Subject } from "../subject/subject.ts";
import { badRequest } from "../v1/refusal.ts";
import type { AskBody } from "./ask-body.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";

/** A normalised question. */
export interface Question {
  readonly telegramUserId: number;
  readonly locale: string | null;
  /** Undefined: that of the session. */
  readonly scenario: string | undefined;
  readonly research: boolean;
  readonly petId: string | null;
  readonly profile: Profile;
  readonly text: string;
  readonly attachment: Attachment | undefined;
  readonly ttlHintSec: number | undefined;
  readonly clientMessageId: string | null;
  /** The bot's message that it replies to. */
  readonly replyTo: number | null;
}

export function questionOf(body: AskBody, subject: Subject): Question {
  const { user, context, message } = body;
  const text = (message?.text ?? body.text ?? "").trim();
  const attachment = attachmentOf(body.attachments);
  if (!text && !attachment)
    throw badRequest("missing_text", "Ask something: message.text is empty and nothing is attached.");
  const research = context?.mode === "research";
  if (research && attachment?.type === "audio")
    throw badRequest("research_without_audio", "Research takes text and photos; write the question down.");
  return {
    telegramUserId: user.telegram_user_id,
    locale: user.locale ?? null,
    scenario: scenarioOf(context?.scenario, body.mode, subject),
    research,
    petId: context?.pet_id ?? null,
    profile: profileOf(body.pet_profile ?? body.pet),
    text,
    attachment,
    ttlHintSec: context?.free_ttl_hint_sec ?? undefined,
    clientMessageId: message?.client_message_id || null,
    replyTo: message?.reply_to_message_id ?? null,
  };
}

/** Older clients may send any word; unknown ones mean the subject's first scenario. */
function scenarioOf(named: string | null | undefined, older: string | null | undefined, subject: Subject) {
  if (named) {
    const known = subject.scenarioOf(named);
    if (!known)
      throw badRequest("unknown_scenario", `context.scenario is one of ${subject.scenarios.join(", ")}.`);
    return known;
  }
  return older ? (subject.scenarioOf(older) ?? subject.scenarios[0]) : undefined;
}

function profileOf(given: unknown): Profile {
  if (given === undefined || given === null) return {};
  if (!isRecord(given)) throw badRequest("invalid_pet_profile", "pet_profile is an object.");
  if (JSON.stringify(given).length > limits.profile)
    throw badRequest("invalid_pet_profile", `pet_profile has at most ${limits.profile} characters.`);
  return given;
}
