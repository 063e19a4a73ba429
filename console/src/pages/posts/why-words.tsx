import { ZonedTime } from "../../ui/index.ts";
import { ErrorWords } from "./error-words.tsx";
import type { Delivery, Why } from "./shapes.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import "./error-words.css";

/** The detail of each reason that says until when it lasts. */
const untilOf: Readonly<Record<string, string>> = {
  channel_paused: "paused_until",
  group_cooldown: "cooldown_until",
  window_closed: "opens_at",
};

interface Props {
  readonly delivery: Pick<Delivery, "error" | "status"> & { readonly why: Why };
  readonly zone: string;
}

/** Why a delivery is where it is, in a sentence, with its error and what would help. */
export function WhyWords({ delivery: { why, error, status }, zone }: Props) {
  const { why: texts } = usePostsTexts();
  const { reason, details } = why;
  const sentences: Readonly<Record<string, string>> = texts.reason;
  const helps: Readonly<Record<string, string>> = texts.help;
  const until = details[untilOf[reason] ?? "due_at"];
  const help = typeof details.help === "string" ? helps[details.help] : undefined;
  const [before = "", after] = (sentences[reason] ?? reason).split("{until}");
  return (
    <span className="why-words">
      <span>
        {before}
        {after !== undefined &&
          (typeof until === "string" ? <ZonedTime at={until} zone={zone} /> : texts.noEnd)}
        {after}
      </span>
      {typeof details.hold_reason === "string" && <q>{details.hold_reason}</q>}
      {error && status !== "sent" && <ErrorWords error={error} />}
      {help && <span className="why-help">{help}</span>}
    </span>
  );
}
