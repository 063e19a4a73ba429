import { RotateCcw } from "lucide-react";
import { useState } from "react";
import type { Recovered } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Card, Notice } from "../../ui/index.ts";
import { RecoverDialog } from "./recover-dialog.tsx";

/** For posts that were not sent: brings them back once the cause is fixed. */
export function RecoverCard({ workspaceId, failed }: { workspaceId: string; failed: number }) {
  const { recover } = useTexts();
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<Recovered | null>(null);
  if (failed === 0 && !done) return null;
  return (
    <Card title={recover.title}>
      <div className="recover">
        <p>{recover.lead}</p>
        {done && <Notice tone="good">{recover.done(done.recovered, done.resumed)}</Notice>}
        <Button icon={<RotateCcw aria-hidden="true" />} onClick={() => setAsking(true)}>
          {recover.open}
        </Button>
      </div>
      {asking && (
        <RecoverDialog workspaceId={workspaceId} onRecovered={setDone} onClose={() => setAsking(false)} />
      )}
    </Card>
  );
}
