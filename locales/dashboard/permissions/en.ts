export const en = {
  needsScope: 'needs {{scope}}',
  needsRole: 'needs the role {{role}}',
  suspended: 'suspended until the open invoice is paid',
} as const
