import { useTexts } from "../../texts/index.ts";
import { Card, CopyLine } from "../../ui/index.ts";
import { sampleRequest } from "./sample-request.ts";

/** What to do in a demo in which nothing has been posted yet: it has its channels and its secret already. */
export function FirstPost() {
  const { overview } = useTexts();
  return (
    <Card title={overview.emptyTitle}>
      <div className="empty">
        <p>{overview.emptyHint}</p>
        <CopyLine text={sampleRequest(location.origin, overview.sampleSecret, overview.samplePost)} />
        <p>{overview.emptyOr}</p>
        <CopyLine text={`npx molva post "${overview.samplePost}"`} />
      </div>
    </Card>
  );
}
