/** The file of the style sheet that the pages of the hub and of the simulator share. */
export const STYLESHEET_FILE = `${import.meta.dirname}/page.css`
