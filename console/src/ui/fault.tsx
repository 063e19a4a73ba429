import { useTexts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { wordsOf } from "./words-of.ts";

/** An error in the place of what was asked for, with the way to ask again. */
export function Fault({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const texts = useTexts();
  return (
    <Notice tone="bad" title={wordsOf(error, texts)}>
      {onRetry && <Button onClick={onRetry}>{texts.common.again}</Button>}
    </Notice>
  );
}
