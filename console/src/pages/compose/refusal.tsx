import { Refused } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Notice, wordsOf } from "../../ui/index.ts";

/** What the server said about a post, with what it said of each part or channel. */
export function Refusal({ error, words }: { error: Error; words?: string | undefined }) {
  const texts = useTexts();
  const parts = error instanceof Refused ? (error.problem.errors ?? []) : [];
  return (
    <Notice tone="bad">
      <p>{words ?? wordsOf(error, texts)}</p>
      {[...new Set(parts.map(({ detail }) => detail))].map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
    </Notice>
  );
}
