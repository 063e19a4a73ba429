import { useTexts } from "../texts/index.ts";
import { CopyLine, Page } from "../ui/index.ts";

export function NoWorkspace() {
  const { overview } = useTexts();
  return (
    <Page title={overview.noWorkspace} lead={overview.noWorkspaceHint}>
      <CopyLine text={`npx molva workspace add "${overview.sampleWorkspace}"`} />
    </Page>
  );
}
