import type { AuthorisedCall, Call, Deps, Reply } from "../call.ts";
import { checkInvite, getDialogs, getMe, getOwnMessages, joinChat, resolveUsername } from "./chats.ts";
import { uploadPhoto } from "./files.ts";
import { logOut } from "./log-out.ts";
import { checkPassword, getPassword, resendCode, sendCode, signIn } from "./login.ts";
import { exportLoginToken } from "./qr.ts";
import { sendMultiMedia, sendPhoto, sendText } from "./send.ts";

type Result = Reply | Promise<Reply>;

/** For a key that is not signed in. */
export const openMethods: Readonly<Record<string, (call: Call, deps: Deps) => Result>> = {
  sendCode,
  resendCode,
  signIn,
  getPassword,
  checkPassword,
  exportLoginToken,
};

/** For a signed-in key. */
export const ownMethods: Readonly<Record<string, (call: AuthorisedCall, deps: Deps) => Result>> = {
  getMe,
  getDialogs,
  resolveUsername,
  checkInvite,
  joinChat,
  getOwnMessages,
  uploadPhoto,
  sendText,
  sendPhoto,
  sendMultiMedia,
  logOut,
};
