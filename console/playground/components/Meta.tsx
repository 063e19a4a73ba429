/** The small print of a post: views, marks, time. */
import { BellOff, Eye, Lock } from "lucide-react";
import { clockTime, fullTime, viewCount } from "../model/format.ts";
import { useSettings } from "../settings.tsx";
import type { MessageView } from "../types.ts";

interface Props {
  /** The messages of one post, at least one. */
  readonly messages: readonly MessageView[];
  /** Drawn over a picture instead of beside words. */
  readonly over: boolean;
}

export function Meta({ messages, over }: Props) {
  const { texts, language } = useSettings();
  const [head] = messages;
  if (!head) return null;
  return (
    <span className="meta" data-over={over}>
      {head.protected && <Lock size={12} role="img" aria-label={texts.protected} />}
      {head.silent && <BellOff size={12} role="img" aria-label={texts.silent} />}
      {head.views !== undefined && (
        <span className="meta-views" title={texts.views(head.views)}>
          <Eye size={14} role="img" aria-label={texts.views(head.views)} />
          <span aria-hidden>{viewCount(head.views, language)}</span>
        </span>
      )}
      {messages.some(({ edited }) => edited) && <span>{texts.edited}</span>}
      <time dateTime={new Date(head.at).toISOString()} title={fullTime(head.at, language)}>
        {clockTime(head.at, language)}
      </time>
    </span>
  );
}
