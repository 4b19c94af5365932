export const en = { viewer: 'Viewer', developer: 'Developer', admin: 'Admin', owner: 'Owner' } as const
