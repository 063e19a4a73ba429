import { createLossLog } from "../../content/index.ts";
import type { Compiled, Found, SendContext, SendError } from "../contract.ts";
import { lookUp } from "./look-up.ts";
import { markerOf } from "./marker.ts";
import { pageShape } from "./page.ts";
import type { Desk } from "./send.ts";
import { lineTo } from "./site.ts";
import { arrived, slugFor, toldBy } from "./write-page.ts";

/** Checks whether a page arrived; if so, runs the steps that follow its creation. */
export async function find(
  compiled: Compiled,
  context: SendContext,
  { settings, sites }: Desk,
): Promise<Found> {
  const [request] = compiled.requests;
  if (!request) throw new Error("a compiled post without requests cannot be looked for");
  const page = pageShape.parse(request.body);
  const opened = await sites.open(context, context);
  if (!opened.ok) return unavailable(opened.error);
  const site = opened.found;
  const line = lineTo(site, settings, context);
  const { idempotencyKey, since } = context;
  const looked = await lookUp(
    { slug: slugFor(page, context), marker: markerOf(idempotencyKey), since },
    line,
  );
  if (looked.kind === "unavailable") {
    sites.forget(context.credential);
    return unavailable(looked.error);
  }
  if (looked.kind === "absent") return looked;
  const losses = createLossLog();
  const { message } = await arrived(looked.post, page, undefined, { site, line, losses });
  const { id: providerMessageId, url } = message;
  return {
    kind: "found",
    providerMessageId,
    ...(url && { url }),
    raw: { messages: [{ index: 0, id: providerMessageId }] },
    ...toldBy(losses),
  };
}

/** If the site cannot be asked now, the page may exist: writing it again would risk a duplicate. */
function unavailable(error: SendError): Found {
  const code = error.code === "outcome_unknown" ? "upstream_unavailable" : error.code;
  return { kind: "unavailable", error: { ...error, category: "TRANSIENT", code } };
}
