import { locale } from "../preferences/index.ts";
import { exactTime, relativeTime, useNow } from "../time/index.ts";

/** A point in time as people say it, exact on hover. */
export function Moment({ at }: { at: string }) {
  const language = locale.use();
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactTime(date, language)}>
      {relativeTime(date, now, language)}
    </time>
  );
}
