import { Badge, Card, Moment, type Tone } from "../../ui/index.ts";
import { ChannelLabel } from "./channel-label.tsx";
import { ErrorWords } from "./error-words.tsx";
import type { Correction } from "./shapes.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

const tones: Readonly<Record<string, Tone>> = {
  done: "good",
  failed_permanent: "bad",
  dead: "bad",
  retry: "warn",
  sending: "busy",
};

/** What was done to a post after it was sent, and how it went. */
export function CorrectionsList({ corrections }: { corrections: readonly Correction[] }) {
  const { post: texts, delivery } = usePostsTexts();
  const words: Readonly<Record<string, string>> = texts.correctionStatus;
  if (corrections.length === 0) return null;
  return (
    <Card title={texts.corrections} className="places">
      <ul>
        {corrections.map(({ id, channel, kind, status, error, snippet, operator, reason, created_at }) => (
          <li key={id} className="place">
            <div className="place-head">
              <ChannelLabel channel={channel} />
              <Badge tone={tones[status] ?? "idle"}>{words[status] ?? status}</Badge>
            </div>
            <div className="place-body">
              <span>
                {texts.kind[kind]}, {operator}, <Moment at={created_at} />
              </span>
              <span>{delivery.because(reason)}</span>
              {snippet && <q>{snippet}</q>}
              {error && <ErrorWords error={error} />}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
