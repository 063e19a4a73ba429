import { Link } from "../router/index.ts";
import { useTexts } from "../texts/index.ts";
import { Page } from "../ui/index.ts";

export function NotFound() {
  const { notFound } = useTexts();
  return (
    <Page title={notFound.title} lead={notFound.hint}>
      <p>
        <Link href="/">{notFound.home}</Link>
      </p>
    </Page>
  );
}
