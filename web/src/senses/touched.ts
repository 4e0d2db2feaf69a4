/** Whether somebody has touched this page since it was loaded; older browsers do not tell. */
export const touchedOnce = (): boolean => "userActivation" in navigator && navigator.userActivation.hasBeenActive;
