export const en = {
  title: 'Export messages',
  text: 'The messages that the filters let through, newest first. The export is written to the audit log.',
  format: 'Format',
  content: 'With the content of the messages',
  contentHint: 'A reader of the file can read what people wrote.',
  start: 'Start the export',
  stop: 'Stop',
} as const
