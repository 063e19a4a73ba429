import { ChevronLeft, ChevronRight } from "lucide-react";
import { locale } from "../../preferences/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, FilterField, Toolbar } from "../../ui/index.ts";
import { spanWords } from "./day-words.ts";
import { addDays, type Span, type View } from "./days.ts";
import { type Kind, kinds } from "./entry-words.ts";
import type { PacedChannel } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** How far ahead a plan reaches. */
const furthestDays = 330;

export interface Chosen {
  readonly view: View;
  readonly day: string;
  readonly channel: string;
  readonly kind: Kind;
}

interface Props {
  readonly chosen: Chosen;
  readonly span: Span;
  readonly today: string;
  readonly channels: readonly PacedChannel[];
  readonly onChange: (changes: Partial<Chosen>) => void;
}

export function PlanToolbar({
  chosen: { view, day, channel, kind },
  span,
  today,
  channels,
  onChange,
}: Props) {
  const texts = usePageTexts({ ru, en });
  const platforms: Readonly<Record<string, string>> = useTexts().platforms;
  const language = locale.use();
  const isNow = span.first <= today && today < span.end;
  return (
    <Toolbar>
      <div className="plan-steps">
        <Button
          aria-label={texts.previous[view]}
          icon={<ChevronLeft aria-hidden="true" />}
          disabled={span.first <= today}
          onClick={() => onChange({ day: addDays(span.first, -1) })}
        />
        <Button disabled={isNow} onClick={() => onChange({ day: "" })}>
          {texts.today}
        </Button>
        <Button
          aria-label={texts.next[view]}
          icon={<ChevronRight aria-hidden="true" />}
          disabled={span.end > addDays(today, furthestDays)}
          onClick={() => onChange({ day: span.end })}
        />
      </div>
      <h2 className="plan-span" aria-live="polite">
        {spanWords(span, view, language)}
      </h2>
      <div className="plan-filters">
        {" "}
        <FilterField
          label={texts.views.label}
          value={view}
          choices={[
            { value: "week", title: texts.views.week },
            { value: "month", title: texts.views.month },
          ]}
          onChoose={(next) => onChange({ view: next, day })}
        />
        <FilterField
          label={texts.channel}
          value={channel}
          choices={[
            { value: "", title: texts.everyChannel },
            ...channels.map((each) => ({
              value: each.channel_id,
              title: `${each.title ?? each.target_name ?? each.target_id} (${platforms[each.platform] ?? each.platform})`,
            })),
          ]}
          onChoose={(next) => onChange({ channel: next })}
        />
        <FilterField
          label={texts.kind}
          value={kind}
          choices={kinds.map((value) => ({ value, title: texts.kinds[value] }))}
          onChoose={(next) => onChange({ kind: next })}
        />
      </div>{" "}
    </Toolbar>
  );
}
