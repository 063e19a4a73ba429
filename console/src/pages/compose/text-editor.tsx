import { Bold, Code, Italic, Link2, List, type LucideIcon, Quote } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Field, SelectField } from "../../ui/index.ts";
import { chosenOf } from "./chosen.ts";
import { editFor, type Mark, marks } from "./edits.ts";
import { formats, type Post } from "./post.ts";
import type { Recipients } from "./shapes.ts";
import { strictestOf } from "./strictest.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const icons: Record<Mark, LucideIcon> = {
  ...{ bold: Bold, italic: Italic, link: Link2, code: Code, quote: Quote, list: List },
};

/** By the place of the key, so that they work with a Russian keyboard too. */
const keys: Readonly<Record<string, Mark>> = { KeyB: "bold", KeyI: "italic", KeyK: "link", KeyE: "code" };

interface Props {
  readonly post: Post;
  readonly found: Recipients | undefined;
  readonly onChange: (changes: Partial<Post>) => void;
}

export function TextEditor({ post, found, onChange }: Props) {
  const { text, format } = post;
  const { text: texts } = usePageTexts({ ru, en });
  const { platforms }: { platforms: Readonly<Record<string, string>> } = useTexts();
  const area = useRef<HTMLTextAreaElement>(null);
  const strictest = strictestOf(chosenOf(found, post));

  const apply = (mark: Mark) => {
    const field = area.current;
    if (!field || format === "None") return;
    const edit = editFor(mark, format, field.value, field.selectionStart, field.selectionEnd);
    field.focus();
    field.setSelectionRange(edit.from, edit.to);
    // The only way that Ctrl+Z takes back; where it is gone, the text is changed without that.
    if (!document.execCommand("insertText", false, edit.insert)) {
      field.setRangeText(edit.insert);
      onChange({ text: field.value });
    }
    field.setSelectionRange(...edit.select);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const mark = keys[event.code];
    if (!mark || format === "None" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
      return;
    event.preventDefault();
    // Ctrl+K also opens the search of the console.
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    apply(mark);
  };
  const count = text.length;
  const isOver = strictest !== undefined && count > strictest.limit;
  return (
    <div className="text-editor">
      <div className="text-tools">
        <div role="toolbar" aria-label={texts.tools} className="text-marks">
          {marks.map((mark) => {
            const Icon = icons[mark];
            return (
              <button
                key={mark}
                type="button"
                className="icon-button"
                aria-label={texts.marks[mark]}
                title={texts.marks[mark]}
                disabled={format === "None"}
                onClick={() => apply(mark)}
              >
                <Icon aria-hidden="true" />
              </button>
            );
          })}
        </div>
        <SelectField
          label={texts.format}
          value={format}
          onChange={(event) => {
            const chosen = formats.find((each) => each === event.target.value);
            if (chosen) onChange({ format: chosen });
          }}
        >
          {formats.map((each) => (
            <option key={each} value={each}>
              {texts.formats[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <Field label={texts.label}>
        {(described) => (
          <textarea
            {...described}
            ref={area}
            className="input area text-area"
            rows={10}
            value={text}
            placeholder={texts.placeholder}
            onChange={(event) => onChange({ text: event.target.value })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <p className={isOver ? "text-count over" : "text-count"}>
        {strictest
          ? texts.countOf(count, strictest.limit, platforms[strictest.platform] ?? strictest.platform)
          : texts.count(count)}
      </p>
    </div>
  );
}
