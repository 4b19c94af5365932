import type { PhoneNumber } from '../../upstream/resources/phone-numbers.ts'

/** The fields of a number from the last upstream call. */
export type NumberFacts = {
  displayPhoneNumber: string | null
  verifiedName: string | null
  qualityRating: string | null
  throughputLevel: string | null
}

export function toNumberFacts(number: PhoneNumber): NumberFacts {
  return {
    displayPhoneNumber: number.display_phone_number,
    verifiedName: number.verified_name,
    qualityRating: normalizeQuality(number.quality_rating),
    throughputLevel: number.throughput?.level ?? null,
  }
}

/** The upstream sends NA for a number without a rating. */
function normalizeQuality(rating: string | null): string {
  return rating !== null && ['GREEN', 'YELLOW', 'RED'].includes(rating) ? rating : 'UNKNOWN'
}
