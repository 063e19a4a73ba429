import { usePageTexts } from "../../texts/index.ts";
import { Badge } from "../../ui/index.ts";
import { failureWords, stateOf } from "./run-words.ts";
import type { Source } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const tones = { on: "good", off: "idle", failing: "bad" } as const;

export function StateBadge({ source }: { source: Source }) {
  const texts = usePageTexts({ ru, en });
  const state = stateOf(source);
  return (
    <Badge tone={tones[state]} {...(source.last_error && { title: failureWords(source.last_error, texts) })}>
      {source.running ? texts.running : texts.states[state]}
    </Badge>
  );
}
