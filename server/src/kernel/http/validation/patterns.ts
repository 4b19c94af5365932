import type { IssueReason } from '../../errors.ts'
import { ONE_LINE } from '../../one-line.ts'

/**
 * Every pattern of a value in a request, under the reason of the issue that says what the value must be. A pattern says
 * nothing to a person, and the description of a value is in English and need not be a phrase, so clients translate the reason.
 */
export const PATTERNS = {
  not_one_line: ONE_LINE.source,
  not_filled: '\\S',
  not_phone_number: '^\\+?[1-9][0-9]{6,14}$',
  not_phone_digits: '^[1-9][0-9]{7,14}$',
  not_person: '^(\\+?[1-9][0-9]{6,14}|[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128})$',
  not_user_id: '^[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128}$',
  not_group_id: '^[A-Za-z0-9@.=_-]{1,128}$',
  not_upstream_id: '^[0-9]{1,32}$',
  not_file_id: '^[A-Za-z0-9_]{1,200}$',
  not_web_link: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$',
  not_pin: '^[0-9]{6}$',
  not_token: '^\\S+$',
  not_username: '^[A-Za-z0-9._]{3,35}$',
  not_qr_code: '^[A-Za-z0-9]{1,64}$',
  not_template_name: '^[a-z0-9_]{1,512}$',
  not_template_category:
    '^([Aa][Uu][Tt][Hh][Ee][Nn][Tt][Ii][Cc][Aa][Tt][Ii][Oo][Nn]|[Mm][Aa][Rr][Kk][Ee][Tt][Ii][Nn][Gg]|[Uu][Tt][Ii][Ll][Ii][Tt][Yy])$',
  not_language: '^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,4})?$',
  not_button_index: '^[0-9]$',
  not_country: '^[A-Z]{2}$',
  not_day: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  not_listener_secret: '^whsec_[A-Za-z0-9_-]{43}$',
  not_media_type: '^[a-z]+/[a-z0-9.+-]{1,80}$',
  not_encoded: '^[A-Za-z0-9+/]*={0,2}$',
  not_color: '^#[0-9a-f]{6}$',
  not_capitals: '^[A-Z_]{1,60}$',
} as const satisfies Partial<Record<IssueReason, string>>

type PatternReason = keyof typeof PATTERNS

const REASONS = new Map(
  Object.entries(PATTERNS).map(([reason, pattern]) => [pattern as string, reason as PatternReason]),
)

export function findPatternReason(pattern: unknown): PatternReason | undefined {
  return REASONS.get(String(pattern))
}
