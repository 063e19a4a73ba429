import type { Post, Role, User } from "./model.ts";

const words = (list: string) => list.split(" ");

const levels = (top: number) => Array.from({ length: top + 1 }, (_, index) => `level_${top - index}`);

const contributor = ["edit_posts", "read", ...levels(1), "delete_posts"];
const author = [
  ...words("upload_files edit_posts edit_published_posts publish_posts read"),
  ...levels(2),
  ...words("delete_posts delete_published_posts"),
];
const editor = [
  ...words(
    "moderate_comments manage_categories manage_links upload_files unfiltered_html edit_posts edit_others_posts",
  ),
  ...words("edit_published_posts publish_posts edit_pages read"),
  ...levels(7),
  ...words(
    "edit_others_pages edit_published_pages publish_pages delete_pages delete_others_pages delete_published_pages",
  ),
  ...words("delete_posts delete_others_posts delete_published_posts delete_private_posts edit_private_posts"),
  ...words("read_private_posts delete_private_pages edit_private_pages read_private_pages"),
];
const administrator = [
  ...words("switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options"),
  ...editor.filter((each) => !each.startsWith("level_")),
  ...levels(10),
  ...words("import delete_users create_users unfiltered_upload edit_dashboard update_plugins delete_plugins"),
  ...words("install_plugins update_themes install_themes update_core list_users remove_users promote_users"),
  ...words("edit_theme_options delete_themes export"),
];

/** The capabilities of a role, as in `users/me`. */
export const capabilities: Readonly<Record<Role, readonly string[]>> = {
  administrator,
  editor,
  author,
  contributor,
  subscriber: ["read", "level_0"],
};

export function can(user: User | undefined, capability: string): boolean {
  return user !== undefined && capabilities[user.role].includes(capability);
}

const isPublic = (status: string) => status === "publish" || status === "future";

export function canEdit(user: User | undefined, post: Pick<Post, "author" | "status" | "before">): boolean {
  return canTouch(user, post, "edit");
}

export function canDelete(user: User | undefined, post: Pick<Post, "author" | "status" | "before">): boolean {
  return canTouch(user, post, "delete");
}

/** A post in the trash follows the rules of its earlier state. */
function canTouch(
  user: User | undefined,
  post: Pick<Post, "author" | "status" | "before">,
  deed: "edit" | "delete",
): boolean {
  if (!user) return false;
  const status = post.status === "trash" ? (post.before?.status ?? "draft") : post.status;
  if (post.author === user.id)
    return can(user, isPublic(status) ? `${deed}_published_posts` : `${deed}_posts`);
  if (!can(user, `${deed}_others_posts`)) return false;
  if (status === "private") return can(user, `${deed}_private_posts`);
  return !isPublic(status) || can(user, `${deed}_published_posts`);
}

export function canRead(user: User | undefined, post: Post): boolean {
  if (post.status === "publish") return true;
  if (post.status === "private" && can(user, "read_private_posts")) return true;
  return canEdit(user, post);
}
