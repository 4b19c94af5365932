import type { PhoneNumber } from '../../upstream/resources/phone-numbers.ts'

/** What the upstream said of a number when it was asked last. */
export type NumberFacts = {
  displayPhoneNumber: string | null
  verifiedName: string | null
  qualityRating: string | null
}

export function factsOf(number: PhoneNumber): NumberFacts {
  return {
    displayPhoneNumber: number.display_phone_number,
    verifiedName: number.verified_name,
    qualityRating: qualityOf(number.quality_rating),
  }
}

/** The upstream also says NA where it has no rating yet. */
function qualityOf(rating: string | null): string {
  return rating !== null && ['GREEN', 'YELLOW', 'RED'].includes(rating) ? rating : 'UNKNOWN'
}
