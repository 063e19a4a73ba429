import type { Fault } from "./shapes.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import "./error-words.css";

/** An error with what it means and what to do; `brief` leaves out the answer of the platform. */
export function ErrorWords({ error, brief = false }: { error: Fault; brief?: boolean }) {
  const { errors } = usePostsTexts();
  const meaning = errors[error.code];
  if (brief) return <span className="error-brief">{meaning ?? error.message}</span>;
  return (
    <span className="error-words">
      {meaning && <span>{meaning}</span>}
      <span className="error-answer">
        <code>{error.code}</code> {error.message}
      </span>
    </span>
  );
}
