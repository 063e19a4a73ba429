/** What a person does about a failure: one stable word for each way of helping. */
export const remedies = {
  retry: "Send it again: the cause was passing",
  wait: "Wait until the platform takes requests again, then send it again",
  new_token: "Give a valid token or key, then recover what failed",
  test_channel:
    "Put the chat, the bot's rights or the channel's settings right, test the channel, then recover what failed",
  resume_channel: "Resume the channel when it may go on",
  shorten: "Shorten the post",
  look: "Look at the error: only a person can tell",
} as const;

export type Remedy = keyof typeof remedies;

export const remedyWords = Object.keys(remedies).filter((word): word is Remedy => word in remedies);

/** By the codes of platforms and of delivery itself. */
const byCode: Readonly<Record<string, Remedy>> = {
  unauthorized: "new_token",
  missing_credential: "new_token",
  key_of_wrong_kind: "new_token",
  permission_missing: "new_token",
  person_key_needed: "new_token",
  application_passwords_off: "new_token",

  channel_unavailable: "test_channel",
  channel_misconfigured: "test_channel",
  role_may_not_publish: "test_channel",
  role_may_not_upload: "test_channel",
  rest_off: "test_channel",
  site_moved: "test_channel",
  security_plugin: "test_channel",
  connection_error: "test_channel",
  account_restricted: "look",
  validation_required: "look",
  trial_access: "look",

  rate_limited: "wait",
  flood_control: "wait",
  wall_quota: "wait",
  captcha_needed: "wait",
  site_in_maintenance: "wait",

  upstream_unavailable: "retry",
  upstream_unreachable: "retry",
  unexpected_status: "retry",
  upload_session_unexpected: "retry",
  upload_refused: "retry",
  attachment_not_ready: "retry",
  media_unavailable: "retry",
  chat_migrated: "retry",

  message_too_long: "shorten",
};

/** For codes that are not in the table, such as those of an adapter of one's own. */
const byScope: Readonly<Record<string, Remedy>> = {
  channel: "test_channel",
  platform: "retry",
};

export function remedyOf(code: string, scope: string): Remedy {
  return byCode[code] ?? byScope[scope] ?? "look";
}

/** Errors that are about a credential, so that they concern every channel that sends with it. */
export const credentialCodes = Object.keys(byCode).filter((code) => byCode[code] === "new_token");
