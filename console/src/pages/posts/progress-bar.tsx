import { progressOf, segments, totalOf } from "./status.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import "./progress-bar.css";

/** How far the deliveries of a post came: a bar for the eye, and the same in words. */
export function ProgressBar({ counts }: { counts: Readonly<Record<string, number>> }) {
  const { progress: texts } = usePostsTexts();
  const progress = progressOf(counts);
  const total = totalOf(progress);
  if (total === 0) return <span className="progress-words bad">{texts.none}</span>;
  const others = (["moving", "failed", "withdrawn", "deduped"] as const).filter((name) => progress[name] > 0);
  return (
    <span className="progress">
      <span className="progress-bar" aria-hidden="true">
        {segments
          .filter((name) => progress[name] > 0)
          .map((name) => (
            <span key={name} className={name} style={{ flexGrow: progress[name] }} />
          ))}
      </span>
      <span className="progress-words">
        {texts.of(progress.sent, total)}
        {others.map((name) => (
          <span key={name} className={name === "failed" ? "bad" : undefined}>
            {" · "}
            {texts[name](progress[name])}
          </span>
        ))}
      </span>
    </span>
  );
}
