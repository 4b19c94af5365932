export const en = { needsScope: 'needs {{scope}}', needsRole: 'needs the role {{role}}' } as const
