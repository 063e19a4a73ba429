export { EnrolFirstPage } from "./enrol-first-page.tsx";
export { InvitationPage } from "./invitation-page.tsx";
export { SignInPage } from "./sign-in-page.tsx";
