/** Signing accounts in and out: by phone, by QR code, by another program's session. */
export { type LoginView, loginSchema } from "./attempts.ts";
export { enterCode, enterPassword, resendCode, startByPhone } from "./by-phone.ts";
export { lookAtLogin, startByQr } from "./by-qr.ts";
export { cancelLogin } from "./cancel.ts";
export type { LoginDeps } from "./deps.ts";
export { ownDevice } from "./device.ts";
export { importSession } from "./import-session.ts";
export { logOut } from "./log-out.ts";
export { phone } from "./phone.ts";
export { changeProxy, proxyAddress, proxyOf, shownProxyOf } from "./proxies.ts";
export { loginRoutes } from "./routes.ts";
export { forgetOldLogins } from "./upkeep.ts";
