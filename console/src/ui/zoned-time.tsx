import { locale } from "../preferences/index.ts";
import { zonedTime } from "../time/index.ts";

/** A moment by the clock of a zone, which is named unless it is the browser's own. */
export function ZonedTime({ at, zone }: { at: string; zone: string }) {
  const language = locale.use();
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${zonedTime(date, zone, language, "long")} (${zone})`}>
      {zonedTime(date, zone, language)}
    </time>
  );
}
