import { Check, CloudAlert, CloudUpload } from "lucide-react";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, Notice, wordsOf } from "../../ui/index.ts";
import type { Keeping } from "./draft-keeper.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly keeping: Keeping;
  readonly onSave: () => void;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
}

/** Whether the post is safe, and what to do if it is not. */
export function KeepingState({ keeping, onSave, onTheirs, onMine }: Props) {
  const { keeping: texts } = usePageTexts({ ru, en });
  const common = useTexts();
  switch (keeping.step) {
    case "kept":
      return (
        <p className="keeping" role="status">
          {keeping.saved && <Check aria-hidden="true" />}
          {keeping.saved ? texts.kept : texts.fresh}
        </p>
      );
    case "changed":
    case "saving":
      return (
        <p className="keeping" role="status">
          <CloudUpload aria-hidden="true" />
          {texts[keeping.step]}
        </p>
      );
    case "failed":
      return (
        <div className="keeping-trouble">
          <Notice tone="bad" title={texts.failed}>
            <p>{wordsOf(keeping.error, common)}</p>
            <Button icon={<CloudAlert aria-hidden="true" />} onClick={onSave}>
              {texts.saveNow}
            </Button>
          </Notice>
        </div>
      );
    case "conflict":
    case "gone":
      return (
        <div className="keeping-trouble">
          <Notice tone="bad" title={texts[keeping.step]}>
            <p>{keeping.step === "gone" ? texts.goneHint : texts.conflictHint}</p>
            <div className="keeping-choices">
              {keeping.step === "conflict" && <Button onClick={onTheirs}>{texts.theirs}</Button>}
              <Button onClick={onMine}>{texts.mine}</Button>
            </div>
          </Notice>
        </div>
      );
  }
}
