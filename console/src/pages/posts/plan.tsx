import { ChannelLabel } from "./channel-label.tsx";
import type { Corrected } from "./requests.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import "./plan.css";

/** What would happen in each channel, and where nothing can be done and why. What fails stands first, what stays as it is last. */
export function Plan({ plan: { changed, refused, items } }: { plan: Corrected }) {
  const { actions: texts } = usePostsTexts();
  const actions: Readonly<Record<string, string>> = texts.action;
  const refusals: Readonly<Record<string, string>> = texts.refusal;
  const rank = (action: string) => (action === "refused" ? 0 : action === "none" ? 2 : 1);
  const sorted = [...items].sort((a, b) => rank(a.action) - rank(b.action));
  return (
    <section className="plan" aria-label={texts.plan}>
      <p role="status">
        <strong>{changed + refused === 0 ? texts.planNothing : texts.planCounts(changed, refused)}</strong>
      </p>
      <ul>
        {sorted.map(({ delivery_id, channel, action, code, detail }) => (
          <li key={delivery_id} className={action}>
            <ChannelLabel channel={channel} />
            <span>
              {actions[action] ?? action}
              {(action === "refused" || action === "none") && (
                <small>{(code !== null ? refusals[code] : undefined) ?? detail}</small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
