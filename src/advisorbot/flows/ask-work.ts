/** What a talk does with the service. Each may be done again after a crash: the request id stays the same. */
import type { StepResult, Work } from "../../dialogs/index.ts";
import { emergencyIn } from "../../firstaid/index.ts";
import { failed } from "../backend/fault.ts";
import type { Profile } from "../backend/shapes.ts";
import { photoLimits, shrinkPhoto } from "../media/shrink-photo.ts";
import { both, texts } from "../texts/index.ts";
import type { AskData } from "./ask.ts";
import { askerOf, type BotServices } from "./services.ts";
import { broken, inTrouble } from "./trouble.ts";
import { voiceBytes } from "./wish.ts";

type AskWork = Work<AskData, BotServices>;
type Onward = "kind" | "topic" | "question" | "parked" | "uploading" | "asking";
const onward = ["kind", "topic", "question", "parked", "uploading", "asking"] as const;

const fileTypes = {
  photo: { type: "photo", mime: "image/jpeg" },
  voice: { type: "audio", mime: "audio/ogg" },
} as const;

/** Who asks, on which plan, and whether they agreed: known before the first word to the model. */
export const begin = {
  ask: both((t) => t.moment),
  to: ["consent", "trouble", ...onward] as const,
  failed: broken,
  async work(work: AskWork): Promise<StepResult<AskData, "consent" | "trouble" | Onward>> {
    const me = await work.services.backend.me(askerOf(work), work.signal);
    if (!me.ok) return inTrouble(me.fault, "begin");
    const { plan, pets, consents } = me.value;
    const data = {
      ...{ plan, kept: plan === "pro" && pets.length > 0 },
      // A question that began the talk has no id of its own yet.
      requestId: work.data.requestId || work.id,
    };
    const agreed = consents.terms_accepted && consents.data_policy_accepted;
    return { data, to: agreed ? wayOn({ ...work.data, ...data }) : "consent" };
  },
};

export const accepting = {
  ask: both((t) => t.moment),
  to: ["trouble", ...onward] as const,
  failed: broken,
  async work(work: AskWork): Promise<StepResult<AskData, "trouble" | Onward>> {
    const accepted = await work.services.backend.accept(askerOf(work), work.signal);
    return accepted.ok ? { to: wayOn(work.data) } : inTrouble(accepted.fault, "accepting");
  },
};

/** A file is brought to the service before it is asked about, so that the question itself can be repeated unchanged. */
export const uploading = {
  ask: both((t) => t.ask.uploading),
  to: ["asking", "trouble"] as const,
  failed: broken,
  async work(work: AskWork): Promise<StepResult<AskData, "asking" | "trouble">> {
    const { services, data, signal } = work;
    if (!data.media) return { to: "asking" };
    const isPhoto = data.media.kind === "photo";
    const bytes = isPhoto ? photoLimits.bytes : voiceBytes;
    const found = await work.download(data.media.fileId, { bytes });
    if (found.kind !== "file")
      return inTrouble(failed(found.kind === "gone" ? "file_gone" : "file_too_large").fault, "uploading");
    const ready = isPhoto ? await shrinkPhoto(found.bytes) : ({ ok: true, value: found.bytes } as const);
    if (!ready.ok) return inTrouble(ready.fault, "uploading");
    const file = { ...fileTypes[data.media.kind], bytes: ready.value };
    const sent = await services.backend.upload(askerOf(work), file, signal);
    return sent.ok ? { to: "asking", data: { mediaId: sent.value } } : inTrouble(sent.fault, "uploading");
  },
};

export const asking = {
  ask: both((t) => t.ask.working),
  to: ["answered", "trouble"] as const,
  failed: broken,
  async work(work: AskWork): Promise<StepResult<AskData, "answered" | "trouble">> {
    const { services, data, language, signal } = work;
    const { requestId, question, topic, research, media, mediaId, messageId, replyTo } = data;
    const answered = await services.backend.ask(
      askerOf(work),
      {
        ...{ requestId, research, text: question, scenario: topic, profile: profileOf(data) },
        media: media && { id: mediaId, ...fileTypes[media.kind] },
        ...{ messageId, replyTo },
      },
      signal,
    );
    if (!answered.ok) {
      const { fault } = answered;
      return inTrouble(fault, fault.kind === "file_gone" ? "uploading" : "asking");
    }
    const { limits, upsell } = answered.value;
    return {
      to: "answered",
      say: [texts[language].answer(answered.value)],
      data: {
        ...{ plan: limits.plan, left: limits.remaining_in_window, offer: upsell.show },
        ...{ met: true, research: false, trouble: null },
        // The service looks deeper into words and photos, once for each question.
        deeper: !research && media?.kind !== "voice",
      },
    };
  },
};

/** The next thing to be known, or the question itself when nothing is missing. */
function wayOn({ media, question, plan, met, kind, kept, topic }: AskData): Onward {
  if (media) return "uploading";
  // Whom it is about can wait when every minute counts.
  if (question !== "")
    return plan === "pro" || met || kind !== null || emergencyIn(question) ? "asking" : "parked";
  if (kind === null && !kept) return "kind";
  return topic === null ? "topic" : "question";
}

/** Nothing when nothing was told: the service then takes what it keeps, or what the talk began with. */
function profileOf({ kind, details }: AskData): Profile | null {
  if (kind === null && details === "") return null;
  return { ...(kind && { type: kind }), ...(details !== "" && { owner_note: details }) };
}
