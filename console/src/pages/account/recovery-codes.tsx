import { useTexts } from "../../texts/index.ts";
import { Button, Card, CopyLine, Notice } from "../../ui/index.ts";

/** Shown once, because only their hashes are kept. */
export function RecoveryCodes({ codes, onSeen }: { codes: readonly string[]; onSeen: () => void }) {
  const { secondFactor: words } = useTexts();
  return (
    <Card title={words.codesTitle}>
      <div className="factor">
        <Notice tone="warn">{words.codesHint}</Notice>
        <ul className="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <CopyLine text={codes.join(" ")} takesFocus />
        <div>
          <Button look="main" onClick={onSeen}>
            {words.saved}
          </Button>
        </div>
      </div>
    </Card>
  );
}
