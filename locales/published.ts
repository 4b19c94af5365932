/**
 * This is true when a registry has our packages. Until then no page and no document tells a person to install one by its name, which could be
 * anybody's: it names the files that `npm run pack` writes, or a clone.
 */
export const PUBLISHED: boolean = false
