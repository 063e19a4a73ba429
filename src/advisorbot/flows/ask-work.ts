/** Requests of the Ask flow to the service. Each can be repeated after a crash, because the request id stays the same. */
import type { StepResult, Work } from "../../dialogs/index.ts";
import { emergencyIn } from "../../firstaid/index.ts";
import { failed } from "../backend/backend-error.ts";
import type { Profile } from "../backend/response-schemas.ts";
import { photoLimits, shrinkPhoto } from "../media/shrink-photo.ts";
import { both, texts } from "../texts/index.ts";
import type { AskData } from "./ask.ts";
import { broken, showError } from "./error-screen.ts";
import { voiceBytes } from "./question-input.ts";
import { askerOf, type BotServices } from "./services.ts";

type AskWork = Work<AskData, BotServices>;
type Onward = "kind" | "topic" | "question" | "parked" | "uploading" | "asking";
const onward = ["kind", "topic", "question", "parked", "uploading", "asking"] as const;

const fileTypes = {
  photo: { type: "photo", mime: "image/jpeg" },
  voice: { type: "audio", mime: "audio/ogg" },
} as const;

/** Reads the plan and the consents before the first question. */
export const begin = {
  ask: both((t) => t.moment),
  to: ["consent", "trouble", ...onward] as const,
  failed: broken,
  async work(work: AskWork): Promise<StepResult<AskData, "consent" | "trouble" | Onward>> {
    const me = await work.services.backend.me(askerOf(work), work.signal);
    if (!me.ok) return showError(me.error, "begin");
    const { plan, pets, consents } = me.value;
    const data = {
      ...{ plan, kept: plan === "pro" && pets.length > 0 },
      // The first message of a dialog has no request id yet.
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
    return accepted.ok ? { to: wayOn(work.data) } : showError(accepted.error, "accepting");
  },
};

/** Files are uploaded before the question, so that it can be repeated unchanged. */
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
      return showError(failed(found.kind === "gone" ? "file_gone" : "file_too_large").error, "uploading");
    const ready = isPhoto ? await shrinkPhoto(found.bytes) : ({ ok: true, value: found.bytes } as const);
    if (!ready.ok) return showError(ready.error, "uploading");
    const file = { ...fileTypes[data.media.kind], bytes: ready.value };
    const sent = await services.backend.upload(askerOf(work), file, signal);
    return sent.ok ? { to: "asking", data: { mediaId: sent.value } } : showError(sent.error, "uploading");
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
      const { error } = answered;
      return showError(error, error.kind === "file_gone" ? "uploading" : "asking");
    }
    const { limits, upsell } = answered.value;
    return {
      to: "answered",
      say: [texts[language].answer(answered.value)],
      data: {
        ...{ plan: limits.plan, left: limits.remaining_in_window, offer: upsell.show },
        ...{ met: true, research: false, trouble: null },
        // Research works for text and photos, once per question.
        deeper: !research && media?.kind !== "voice",
      },
    };
  },
};

/** The next missing detail, or the question itself. */
function wayOn({ media, question, plan, met, kind, kept, topic }: AskData): Onward {
  if (media) return "uploading";
  // In an emergency the pet's details can wait.
  if (question !== "")
    return plan === "pro" || met || kind !== null || emergencyIn(question) ? "asking" : "parked";
  if (kind === null && !kept) return "kind";
  return topic === null ? "topic" : "question";
}

/** Null if nothing was given; the service then uses the stored profile. */
function profileOf({ kind, details }: AskData): Profile | null {
  if (kind === null && details === "") return null;
  return { ...(kind && { type: kind }), ...(details !== "" && { owner_note: details }) };
}
