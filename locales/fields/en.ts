/** Says what to enter in a field that was refused, by the reason of its issue. Other reasons have the words of the issue. */
export const en = {
  required: 'Fill in this field.',
  not_url: 'Enter a complete URL.',
  not_one_line: 'Write in one line, without invisible characters.',
  not_email: 'Enter a whole e-mail address, such as ana@example.com.',
  not_in_future: 'Choose a date in the future.',
  too_short_one: 'Use at least {{count}} character.',
  too_short_other: 'Use at least {{count}} characters.',
  too_long_one: 'Use at most {{count}} character.',
  too_long_other: 'Use at most {{count}} characters.',
  too_small: 'Enter {{minimum}} or more.',
  too_large: 'Enter {{maximum}} or less.',
} as const
