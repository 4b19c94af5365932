const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/

/** Returns true if a text is the user id of a person, by which also those get messages who hide their phone number. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text)
}
