import { useTexts } from "../../texts/index.ts";
import { Card, CopyLine } from "../../ui/index.ts";
import { sampleRequest } from "./sample-request.ts";

/** What to do when nothing has been posted yet. A demo has its channels and its secret already. */
export function FirstPost({ isDemo, channels }: { isDemo: boolean; channels: number }) {
  const { overview } = useTexts();
  const request = sampleRequest(location.origin, overview.sampleSecret, overview.samplePost);
  if (isDemo)
    return (
      <Card title={overview.emptyTitle}>
        <div className="empty">
          <p>{overview.emptyHint}</p>
          <CopyLine text={request} />
          <p>{overview.emptyOr}</p>
          <CopyLine text={`npx molva post "${overview.samplePost}"`} />
        </div>
      </Card>
    );
  return (
    <Card title={overview.startTitle}>
      <div className="empty">
        {channels === 0 && (
          <>
            <p>{overview.startChannel}</p>
            <CopyLine text="npx molva credential set telegram news-bot --token-file token.txt" />
            <CopyLine text="npx molva channel add telegram -1001234567890 --auth news-bot" />
          </>
        )}
        <p>{overview.startDoor}</p>
        <CopyLine text="npx molva endpoint add site" />
        <p>{overview.startPost}</p>
        <CopyLine text={request} />
      </div>
    </Card>
  );
}
